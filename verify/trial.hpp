// A prepared plan with device memory for its operands: runs it on host memory.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "verify/host_problem.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"

namespace wgemm::verify {

/// Both objects must outlive the trial.
class Trial {
 public:
  Trial(Context& context, PreparedPlan& prepared) : context_(&context), prepared_(&prepared) {}

  /// The buffer of C after the run, with the gaps and the guard as they are then. `given` has the sizes of
  /// the plan's problem.
  Result<std::vector<std::byte>> run(const HostProblem& given);

 private:
  Context* context_;
  PreparedPlan* prepared_;
  std::array<Buffer, kCallerBuffers> buffers_;  ///< made by the first run, used again by the next
};

}  // namespace wgemm::verify
