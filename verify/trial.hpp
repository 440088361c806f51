// A prepared plan with device memory for its operands: runs it on host memory.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "verify/host_problem.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::verify {

/// Both objects must outlive the trial.
class Trial {
 public:
  /// `prepare_b`: where the plan takes a prepared B, the options by which it is prepared in each run.
  Trial(Context& context, PreparedPlan& prepared, std::optional<PlanOptions> prepare_b = {})
      : context_(&context), prepared_(&prepared), prepare_b_(std::move(prepare_b)) {}

  /// The buffer of C after the run, with the gaps and the guard as they are then. `given` has the sizes of
  /// the plan's problem.
  Result<std::vector<std::byte>> run(const HostProblem& given);

 private:
  Context* context_;
  PreparedPlan* prepared_;
  std::optional<PlanOptions> prepare_b_;
  std::array<Buffer, kCallerBuffers> buffers_;  ///< made by the first run, used again by the next
};

}  // namespace wgemm::verify
