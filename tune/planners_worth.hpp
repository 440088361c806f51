// What the planner's own choices are worth, by what searches found.
#pragma once

#include <cstddef>
#include <span>

#include "tune/tune.hpp"

namespace wgemm::tune {

/// What the planner's own choice may take more than the fastest, and still be called a good one.
constexpr double kClose = 1.15;

/// Candidates that must have been measured right where a search was cut short, the planner's own among them:
/// of a single one the fastest is the planner's own, whatever it is worth. A planner that chose blindly would
/// have the fastest of eight for one problem in eight.
constexpr std::size_t kEnoughMeasured = 8;

struct PlannersWorth {
  std::size_t judged = 0;  ///< problems whose search was complete, or measured enough
  std::size_t close = 0;   ///< of them, those where the planner's own choice is a good one
};

PlannersWorth planners_worth(std::span<const ProblemReport> problems);

}  // namespace wgemm::tune
