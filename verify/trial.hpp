// A prepared plan with device memory for its operands: runs it on host matrices, over a poisoned C.
#pragma once

#include "verify/host_matrix.hpp"
#include "verify/inputs.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"

namespace wgemm::verify {

/// Both objects must outlive the trial.
class Trial {
 public:
  Trial(Context& context, PreparedPlan& prepared);

  /// C after the run, with the gaps and the guard as they are then.
  Result<HostMatrix> run(const Operands& operands);

 private:
  Result<void> upload(Buffer& buffer, const HostMatrix& matrix);

  Context* context_;
  PreparedPlan* prepared_;
  HostMatrix poisoned_;
  // Made by the first run, used again by the next.
  Buffer a_;
  Buffer b_;
  Buffer c_;
};

}  // namespace wgemm::verify
