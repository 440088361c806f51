// How much work one dispatch may hold, so that a slow kernel on a large product trips no driver's watchdog.
#pragma once

#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::bench {

class DispatchBudget {
 public:
  /// Whether even the slowest kernel takes no more than a piece's time for the whole problem. `peak` is the
  /// device's own in operations per second.
  static bool is_harmless(const Problem& problem, double peak);

  /// Times a small piece of the problem with the slowest kernel there is, `naive`. From the `peak`
  /// follows the size of the piece.
  static Result<DispatchBudget> calibrate(Context& context, const Problem& problem, double peak);

  /// Operations that a kernel of unknown speed may do in a dispatch.
  [[nodiscard]] double max_flops() const;

  /// The kernel that the budget is for reached that many operations per second.
  void learn(double flops_per_second);

 private:
  explicit DispatchBudget(double slowest) : expected_(slowest) {}
  double expected_;  ///< operations per second that the kernel is trusted to reach
};

}  // namespace wgemm::bench
