// The dispatches of a plan cover C exactly once: each block of C is computed by one workgroup of one
// dispatch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/kernels/kernel.hpp"
#include "core/planning/dispatch.hpp"
#include "core/planning/emit.hpp"
#include "tests/core/devices.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

constexpr std::size_t kRowsWord = 0;  // of the uniform block of every kernel: m, n, k, …
constexpr std::size_t kColumnsWord = 1;

std::uint64_t ceil_div(std::uint64_t value, std::uint64_t divisor) { return (value + divisor - 1) / divisor; }

const Step& multiply_step(const Plan& plan) {
  return *std::ranges::find_if(plan.steps, [](const Step& step) { return step.kind == StepKind::multiply; });
}

/// Workgroups of the multiply step by their place in the grid of the whole product.
void expect_exact_cover(const Plan& plan, std::uint32_t limit) {
  SCOPED_TRACE(plan.kernel + ", " + describe(plan.problem));
  const auto kernel = kernels::parse(plan.kernel).value();
  const auto figures = kernels::geometry(kernel, plan.problem.a.type).value();
  const auto& step = multiply_step(plan);
  const auto& words = step.dispatches.front().uniforms;
  auto across = ceil_div(words[kColumnsWord], figures.block_n);
  auto down = ceil_div(words[kRowsWord], figures.block_m);
  if (kernel.family->grid == kernels::Grid::rows_along_x) std::swap(across, down);
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (const auto& dispatch : step.dispatches) {
    for (const auto count : dispatch.workgroups) {
      EXPECT_GE(count, 1U);
      EXPECT_LE(count, limit);
    }
    EXPECT_EQ(dispatch.workgroups[2], 1U);
    const std::uint64_t x0 = dispatch.uniforms[planning::kGroupXWord];
    const std::uint64_t y0 = dispatch.uniforms[planning::kGroupYWord];
    for (std::uint64_t y = y0; y < y0 + dispatch.workgroups[1]; ++y) {
      for (std::uint64_t x = x0; x < x0 + dispatch.workgroups[0]; ++x) {
        EXPECT_TRUE(seen.emplace(x, y).second) << "the block at " << x << ", " << y << " is computed twice";
        EXPECT_LT(x, across) << "a workgroup without a block";
        EXPECT_LT(y, down) << "a workgroup without a block";
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(seen.size(), across * down) << "a block is missing";
}

struct Size {
  std::uint64_t m, n, k;
};

/// Small limits on workgroups make small products need many dispatches.
class Coverage : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(Coverage, EveryRungCoversEveryShapeOnce) {
  for (const auto& rung : list_rungs()) {
    const auto kernel = kernels::parse(rung.kernel).value();
    auto device = testing::generous_device(kernel, MatrixDialect::emulated);
    device.limits.max_compute_workgroups_per_dimension = GetParam();
    for (const auto& [m, n, k] :
         {Size{1, 1, 1}, Size{1, 500, 3}, Size{500, 1, 3}, Size{257, 129, 5}, Size{256, 256, 8}}) {
      for (const auto edges : {EdgePolicy::checked, EdgePolicy::padded}) {
        for (const auto order : testing::kOrders) {
          auto problem = testing::problem(m, n, k);
          problem.c.order = order;
          const auto plan = make_plan(problem, device, {std::string(rung.name), edges});
          ASSERT_TRUE(plan) << plan.error().message;
          expect_exact_cover(*plan, GetParam());
        }
      }
    }
  }
}

TEST_P(Coverage, HoldsWhenDispatchesAreSplit) {
  for (const auto& rung : list_rungs()) {
    const auto kernel = kernels::parse(rung.kernel).value();
    auto device = testing::generous_device(kernel, MatrixDialect::emulated);
    device.limits.max_compute_workgroups_per_dimension = GetParam();
    for (const double max_flops : {0.0, 1.0, 1e4, 3e5, 1e6, 1e12}) {
      auto plan =
          make_plan(testing::problem(257, 129, 7), device, {std::string(rung.name), EdgePolicy::checked});
      ASSERT_TRUE(plan) << plan.error().message;
      split_dispatches(*plan, max_flops);
      expect_exact_cover(*plan, GetParam());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(WorkgroupsPerDimension, Coverage, ::testing::Values(1U, 3U, 64U, 65535U));

TEST(Dispatches, MoreWorkgroupsThanADimensionHoldsBecomeSeveral) {
  const auto device = *find_profile("minimum");
  for (const auto& [m, n] : {std::pair{70000U, 1U}, {1U, 70000U}, {65535U, 2U}, {65536U, 2U}}) {
    const auto plan = make_plan(testing::problem(m, n, 4), device, {"naive", EdgePolicy::checked});
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->steps.at(0).dispatches.size(), m > 65535 || n > 65535 ? 2U : 1U);
    expect_exact_cover(*plan, 65535);
  }
  const auto blocks = make_plan(testing::problem(1048592, 1, 1), device, {"tiled", EdgePolicy::checked});
  ASSERT_TRUE(blocks) << blocks.error().message;
  EXPECT_EQ(blocks->steps.at(0).dispatches.size(), 2U) << "65,537 blocks of 16 rows";
  expect_exact_cover(*blocks, 65535);
}

TEST(Dispatches, CopiesOfManyTilesBecomeSeveralToo) {
  auto device = *find_profile("minimum");
  device.limits.max_compute_workgroups_per_dimension = 2;
  const auto plan = make_plan(testing::problem(100, 50, 30), device, {"tiled", EdgePolicy::padded});
  ASSERT_TRUE(plan) << plan.error().message;
  for (const auto& step : plan->steps) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (const auto& dispatch : step.dispatches) {
      for (std::uint32_t y = 0; y < dispatch.workgroups[1]; ++y) {
        for (std::uint32_t x = 0; x < dispatch.workgroups[0]; ++x) {
          EXPECT_TRUE(seen.emplace(dispatch.uniforms[planning::kGroupXWord] + x,
                                   dispatch.uniforms[planning::kGroupYWord] + y)
                          .second);
        }
      }
      EXPECT_LE(dispatch.workgroups[0], 2U);
      EXPECT_LE(dispatch.workgroups[1], 2U);
    }
    if (step.kind == StepKind::multiply) continue;
    const auto& words = step.dispatches.front().uniforms;
    if (step.kind == StepKind::reduce) {
      EXPECT_EQ(seen.size(), ceil_div(words[0], 4) * ceil_div(words[1], 64));
    } else {  // rows, columns of the source, then of the target
      const auto orders = plan->shaders[step.shader].label.substr(5, 2);
      const std::uint64_t rows = orders == "cc" ? 64 : 16;
      const std::uint64_t cols = orders == "rr" ? 64 : 16;
      EXPECT_EQ(seen.size(), ceil_div(words[2], rows) * ceil_div(words[3], cols));
    }
  }
}

TEST(Dispatches, ASplitKeepsToItsBudget) {
  const auto device = *find_profile("minimum");
  for (const double max_flops : {1e3, 1e5, 1e6, 5e6}) {
    auto plan = make_plan(testing::problem(300, 200, 50), device, {"tiled", EdgePolicy::checked}).value();
    split_dispatches(plan, max_flops);
    for (const auto& dispatch : plan.steps.at(0).dispatches) {
      const double count = static_cast<double>(dispatch.workgroups[0]) * dispatch.workgroups[1];
      EXPECT_TRUE(count == 1 || 2.0 * 16 * 16 * 50 * count <= max_flops)
          << count << " workgroups for " << max_flops;
    }
  }
}

TEST(Dispatches, AGenerousBudgetSplitsNothing) {
  auto plan =
      make_plan(testing::problem(300, 200, 50), *find_profile("minimum"), {"tiled", EdgePolicy::checked})
          .value();
  split_dispatches(plan, 1e15);
  EXPECT_EQ(plan.steps.at(0).dispatches.size(), 1U);
}

}  // namespace
}  // namespace wgemm
