// Batches: whose C overlap, and what a table becomes in a plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/batch_overlap.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

Problem sized(std::uint64_t m, std::uint64_t n, std::uint64_t ldc = 0) {
  Problem problem{m, n, 3, {}, {}, {}};
  problem.c.ld = ldc;
  return problem;
}

/// By listing every element.
bool overlap_by_elements(const Problem& problem) {
  std::set<std::uint64_t> taken;
  const auto ld = leading_dimension(problem, Matrix::c);
  for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
    for (std::uint64_t row = 0; row < problem.m; ++row) {
      for (std::uint64_t col = 0; col < problem.n; ++col) {
        if (!taken.insert(first_element(problem, Matrix::c, product) + row * ld + col).second) return true;
      }
    }
  }
  return false;
}

TEST(BatchOverlap, BlocksOfALargerMatrixLieApart) {
  auto problem = sized(4, 8, 24);  // 3 blocks side by side, 2 below each other
  problem.batch = {2, {2, 3}, {}, {}, {96, 8}, {}, {}};
  EXPECT_FALSE(outputs_overlap(problem));
  problem.batch.c[1] = 7;
  EXPECT_TRUE(outputs_overlap(problem));
  problem.batch = {};
  for (const std::uint64_t start : {16U, 0U, 96U, 8U, 104U, 112U})
    problem.batch.table.push_back({0, 0, start, 0});
  EXPECT_FALSE(outputs_overlap(problem));
  problem.batch.table.back().c = 111;
  EXPECT_TRUE(outputs_overlap(problem));
  EXPECT_EQ(validate(problem).error().argument, "batch.table");
}

TEST(BatchOverlap, IsWhatAListOfAllElementsSays) {
  std::mt19937_64 draw(4);
  int overlapping = 0;
  for (int i = 0; i < 20000; ++i) {
    auto problem = sized(1 + draw() % 4, 1 + draw() % 4);
    problem.c.ld = problem.n + draw() % 12;
    if (i % 2 == 0) {
      problem.batch.rank = 1 + static_cast<std::uint32_t>(draw() % 4);
      for (std::uint32_t d = 0; d < problem.batch.rank; ++d) {
        problem.batch.extents.at(d) = 1 + draw() % 3;
        problem.batch.c.at(d) = 1 + draw() % 60;
      }
    } else {
      for (auto n = 1 + draw() % 5; n > 0; --n) problem.batch.table.push_back({0, 0, draw() % 150, 0});
    }
    const bool expected = overlap_by_elements(problem);
    overlapping += expected ? 1 : 0;
    ASSERT_EQ(outputs_overlap(problem), expected) << i;
  }
  EXPECT_GT(overlapping, 2000);
  EXPECT_LT(overlapping, 18000);
}

TEST(BatchTable, IsAConstantThatEveryStepBindsWhichNeedsIt) {
  auto problem = sized(5, 7);
  problem.batch.table = {{0, 1, 2, 3}, {100, 101, 102, 103}};
  const auto plan = make_plan(problem, *find_profile("minimum"), {"tiled_TILE8", EdgePolicy::padded});
  ASSERT_TRUE(plan) << plan.error().message;
  const auto& table = plan->buffers.at(kCallerBuffers);
  EXPECT_EQ(table.role, BufferRole::constant);
  EXPECT_THAT(table.words, testing::ElementsAre(0, 1, 2, 3, 100, 101, 102, 103));
  ASSERT_EQ(plan->steps.size(), 4U);  // two copies, the product of scratch into scratch, C
  for (const auto& step : plan->steps) {
    const auto bound = std::ranges::count(step.bindings, kCallerBuffers, &Binding::buffer);
    EXPECT_EQ(bound, step.kind == StepKind::multiply ? 0 : 1);
  }
}

}  // namespace
}  // namespace wgemm
