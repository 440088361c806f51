// What the planner's own choices are worth counts searches that tried others beside them.
#include "tune/planners_worth.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace wgemm::tune {
namespace {

/// The planner's own takes a second, all others as long as is said.
ProblemReport searched(std::size_t right, double others, bool complete) {
  ProblemReport report;
  auto& found = report.found;
  found.complete = complete;
  found.heuristic_seconds = 1;
  for (std::size_t i = 0; i < right; ++i) found.trials.push_back({.seconds = i == 0 ? 1 : others});
  if (right > 0) found.best = others < 1 && right > 1 ? found.trials.back() : found.trials.front();
  return report;
}

std::vector<std::size_t> worth(const ProblemReport& report) {
  const auto [judged, close] = planners_worth(std::vector{report});
  return {judged, close};
}

using Counts = std::vector<std::size_t>;

TEST(PlannersWorth, LeavesOutSearchesThatMeasuredFew) {
  EXPECT_EQ(worth(searched(1, 2, false)), (Counts{0, 0})) << "nothing but the planner's own";
  EXPECT_EQ(worth(searched(kEnoughMeasured - 1, 2, false)), (Counts{0, 0}));
  EXPECT_EQ(worth(searched(kEnoughMeasured, 2, false)), (Counts{1, 1}));
  EXPECT_EQ(worth(searched(1, 2, true)), (Counts{1, 1})) << "there is no other";
  EXPECT_EQ(worth(searched(0, 2, true)), (Counts{0, 0}));
}

TEST(PlannersWorth, CountsTrialsThatAreRight) {
  auto report = searched(kEnoughMeasured, 2, false);
  report.found.trials.back().status = bench::Status::wrong;
  EXPECT_EQ(worth(report), (Counts{0, 0}));
}

TEST(PlannersWorth, CloseIsWithinFifteenPercent) {
  EXPECT_EQ(worth(searched(kEnoughMeasured, 1 / 1.14, false)), (Counts{1, 1}));
  EXPECT_EQ(worth(searched(kEnoughMeasured, 1 / 1.16, false)), (Counts{1, 0}));
  auto failed = searched(kEnoughMeasured, 0.9, false);
  failed.found.heuristic_seconds = 0;
  EXPECT_EQ(worth(failed), (Counts{1, 0})) << "the planner's own was not right";
}

}  // namespace
}  // namespace wgemm::tune
