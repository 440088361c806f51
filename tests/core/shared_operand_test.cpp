// Operands that all products of a batch share, and weights that are turned into numbers before the product:
// what the planner copies, and how often.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/core/devices.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

constexpr auto kScales = static_cast<std::uint32_t>(BufferRole::scales);

Problem quantised(DataType a = DataType::f32) {
  auto problem = testing::problem(10, 13, 100);
  problem.a.type = a;
  problem.b = {DataType::u4, Order::col_major};
  problem.quantization = {32, DataType::f32, true};
  return problem;
}

Problem batched(Problem problem) {
  problem.batch.rank = 2;
  problem.batch.extents = {3, 5};
  problem.batch.a = {5000, 1000};
  problem.batch.c = {1000, 200};
  return problem;
}

Plan plan_of(const Problem& problem, const PlanOptions& options) {
  auto plan = make_plan(problem, *find_profile("h200"), options);
  EXPECT_TRUE(plan) << plan.error().message;
  return std::move(plan).value_or(Plan());
}

/// The step that copies from the caller's buffer of that role.
const Step* copy_from(const Plan& plan, BufferRole role) {
  const auto found = std::ranges::find_if(plan.steps, [&](const Step& step) {
    return (step.kind == StepKind::pad || step.kind == StepKind::transpose) &&
           step.bindings.at(0).buffer == static_cast<std::uint32_t>(role);
  });
  return found == plan.steps.end() ? nullptr : &*found;
}

std::uint64_t copied_bytes(const Plan& plan, const Step& step) {
  return plan.buffers.at(step.bindings.at(1).buffer).bytes;
}

bool binds_scales(const Step& step) {
  return std::ranges::count(step.bindings, kScales, &Binding::buffer) > 0;
}

TEST(SharedOperand, IsCopiedOnceForTheWholeBatch) {
  const PlanOptions padded{"tiled_TILE8", EdgePolicy::padded, 1};
  auto table = quantised();
  table.batch.table = {{0, 0, 130, 0}, {1000, 0, 0, 0}};
  for (const auto& problem : {quantised(), batched(quantised()), table}) {
    const auto plan = plan_of(problem, padded);
    const auto* const copy = copy_from(plan, BufferRole::b);
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copied_bytes(plan, *copy), 104 * 16 * 4);
    ASSERT_EQ(copy->dispatches.size(), 1);
    EXPECT_EQ(copy->dispatches[0].workgroups[2], 1);
    // A differs from product to product.
    EXPECT_EQ(copied_bytes(plan, *copy_from(plan, BufferRole::a)), problem.batch.count() * 104 * 16 * 4);
  }
}

TEST(SharedOperand, IsCopiedOnceAlongTheDimensionsThatShareIt) {
  auto problem = batched(testing::problem(12, 16, 20));
  problem.batch.b = {320, 0};
  const auto plan = plan_of(problem, {"vec4", EdgePolicy::checked, 1});  // wants a column-major B
  const auto* const copy = copy_from(plan, BufferRole::b);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copied_bytes(plan, *copy), 3 * 320 * 4);
  EXPECT_EQ(copy->dispatches[0].workgroups[2], 3);
}

TEST(SharedOperand, OfATableNeedsNoPlaceInIt) {
  auto problem = testing::problem(12, 16, 20);
  problem.batch.table = {{0, 64, 0, 0}, {240, 64, 192, 0}};
  const auto plan = plan_of(problem, {"vec4", EdgePolicy::checked, 1});
  const auto* const copy = copy_from(plan, BufferRole::b);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copied_bytes(plan, *copy), 320 * 4);
  EXPECT_EQ(copy->bindings.size(), 2);
}

TEST(SharedOperand, FitsACapOnScratchThatOneCopyFits) {
  auto problem = batched(testing::problem(12, 16, 20));
  PlanOptions options{"vec4", EdgePolicy::checked, 1};
  options.scratch_cap = 1280;  // 320 elements
  EXPECT_EQ(plan_of(problem, options).steps.size(), 2);
}

TEST(Dequantise, CopiesTheNumbersThatTheKernelMultiplies) {
  PlanOptions options{"register-tile", EdgePolicy::checked, 1};
  EXPECT_EQ(copy_from(plan_of(quantised(), options), BufferRole::b), nullptr);
  options.dequantise = true;
  for (const auto type : {DataType::f32, DataType::f16}) {
    for (const auto accumulate : {Accumulate::standard, Accumulate::f16}) {
      if (type == DataType::f32 && accumulate == Accumulate::f16) continue;
      auto problem = quantised(type);
      problem.accumulate = accumulate;
      const auto plan = plan_of(problem, options);
      ASSERT_EQ(plan.steps.size(), 2);
      const auto* const copy = copy_from(plan, BufferRole::b);
      ASSERT_NE(copy, nullptr);
      EXPECT_TRUE(binds_scales(*copy));
      EXPECT_FALSE(binds_scales(plan.steps[1]));
      EXPECT_EQ(copied_bytes(plan, *copy), 1300 * (accumulate == Accumulate::f16 ? 2 : 4));
    }
  }
}

TEST(Dequantise, LeavesOtherProblemsAlone) {
  PlanOptions options{"register-tile", EdgePolicy::checked, 1};
  options.dequantise = true;
  EXPECT_EQ(plan_of(testing::problem(10, 13, 100), options).steps.size(), 1);
}

TEST(SplitOperand, PreparesAQuantisedBAlikeForOneRowAndForMany) {
  PlanOptions options;
  options.dequantise = true;
  const auto layout_for = [&](std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    auto problem = testing::problem(m, n, k);
    problem.b = {DataType::u4, Order::col_major};
    problem.quantization = {32, DataType::f16};
    return split_operand(plan_of(problem, options), Matrix::b).use.buffers.at(1).layout;
  };
  EXPECT_NE(layout_for(1, 4096, 4096), "");
  for (const std::uint64_t m : {5U, 40U, 512U, 5000U}) {  // skinny-k, coalesced, register-tile
    EXPECT_EQ(layout_for(m, 4096, 4096), layout_for(1, 4096, 4096)) << m;
    EXPECT_EQ(layout_for(m, 13, 41), layout_for(1, 13, 41)) << m;
  }
}

TEST(SplitOperand, TakesScalesAndZeroPointsOfAQuantisedBAlong) {
  PlanOptions options{"register-tile", EdgePolicy::checked, 1};
  options.dequantise = true;
  const auto bytes = [](const Plan& plan, BufferRole role) {
    return plan.buffers.at(static_cast<std::size_t>(role)).bytes;
  };
  const auto split = split_operand(plan_of(quantised(), options), Matrix::b);
  ASSERT_EQ(split.prepare.steps.size(), 1);
  EXPECT_EQ(bytes(split.prepare, BufferRole::scales), 13 * 4 * 4);
  EXPECT_EQ(bytes(split.prepare, BufferRole::zeros), 28);  // 13 * 2, in whole words
  EXPECT_EQ(bytes(split.prepare, BufferRole::a), 0);
  EXPECT_EQ(split.use.steps.size(), 1);
  EXPECT_EQ(bytes(split.use, BufferRole::scales), 0);
  EXPECT_EQ(bytes(split.use, BufferRole::zeros), 0);
  EXPECT_EQ(bytes(split.use, BufferRole::b), 1300 * 4);
  const auto again = plan_from_json(to_json(split.use));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(bytes(*again, BufferRole::scales), 0);
  EXPECT_EQ(again->buffers.at(1).layout, split.use.buffers.at(1).layout);
  auto damaged = split.use;
  damaged.buffers.at(static_cast<std::size_t>(BufferRole::scales)).bytes = 4;
  const auto refused = plan_from_json(to_json(damaged));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().argument, "buffers[5].bytes");
  // A batch of any extent takes the same one.
  const auto of_batch = split_operand(plan_of(batched(quantised()), options), Matrix::b);
  EXPECT_EQ(of_batch.use.buffers.at(1).layout, split.use.buffers.at(1).layout);
  // A alone has nothing to do with scales.
  options.edges = EdgePolicy::padded;
  const auto of_a = split_operand(plan_of(quantised(), options), Matrix::a);
  EXPECT_EQ(of_a.prepare.steps.size(), 1);
  EXPECT_EQ(bytes(of_a.prepare, BufferRole::scales), 0);
  EXPECT_EQ(bytes(of_a.use, BufferRole::scales), 13 * 4 * 4);
}

}  // namespace
}  // namespace wgemm
