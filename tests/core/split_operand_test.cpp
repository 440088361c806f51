// Plans taken apart into the preparation of an operand and the rest.
#include <gtest/gtest.h>

#include <algorithm>

#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

constexpr auto kB = static_cast<std::size_t>(BufferRole::b);
constexpr auto kC = static_cast<std::size_t>(BufferRole::c);

Plan vec4_plan(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  PlanOptions options;
  options.kernel = "vec4_BM32_BN32_BK32_TM4_TN4_PAD1";
  auto plan = make_plan(problem, find_profile("lavapipe").value(), options);
  EXPECT_TRUE(plan) << plan.error().message;
  return std::move(plan).value();
}

TEST(SplitOperand, StepsTogetherAreThoseOfThePlan) {
  const Plan plan = vec4_plan(64, 96, 64);
  ASSERT_EQ(plan.steps.size(), 2U);
  const SplitPlan split = split_operand(plan, Matrix::b);
  ASSERT_EQ(split.prepare.steps.size(), 1U);
  ASSERT_EQ(split.use.steps.size(), 1U);
  EXPECT_EQ(split.prepare.steps[0].kind, StepKind::transpose);
  EXPECT_EQ(split.use.steps[0].kind, StepKind::multiply);
  EXPECT_EQ(split.prepare.shaders.size(), 1U);
  EXPECT_EQ(split.use.shaders.size(), 1U);
  EXPECT_EQ(split.prepare.buffers.size(), kCallerBuffers);
  EXPECT_EQ(split.use.buffers.size(), kCallerBuffers) << "the scratch became B";
  EXPECT_EQ(split.use.buffers[kB].bytes, split.prepare.buffers[kC].bytes);
  EXPECT_FALSE(split.use.buffers[kB].layout.empty());
  EXPECT_TRUE(split.prepare.buffers[kB].layout.empty());
  EXPECT_TRUE(std::ranges::any_of(split.use.steps[0].bindings,
                                  [](const Binding& binding) { return binding.buffer == kB; }));
}

TEST(SplitOperand, OperandThatNothingIsDoneToIsItsOwnPreparation) {
  const Plan plan = vec4_plan(64, 96, 64);
  const SplitPlan split = split_operand(plan, Matrix::a);
  EXPECT_TRUE(split.prepare.steps.empty());
  EXPECT_EQ(split.use.steps.size(), plan.steps.size());
  EXPECT_TRUE(split.use.buffers[0].layout.empty());
}

TEST(SplitOperand, LayoutIsTheSameForOtherRowsOfAAndNotForAnotherB) {
  const auto layout = [](const Plan& plan) { return split_operand(plan, Matrix::b).use.buffers[kB].layout; };
  EXPECT_EQ(layout(vec4_plan(64, 96, 64)), layout(vec4_plan(7, 96, 64)));
  EXPECT_NE(layout(vec4_plan(64, 96, 64)), layout(vec4_plan(64, 100, 64)));
  EXPECT_NE(layout(vec4_plan(64, 96, 64)), layout(vec4_plan(64, 96, 68)));
}

TEST(SplitOperand, PlanForAPreparedOperandSurvivesItsJson) {
  const Plan use = split_operand(vec4_plan(64, 96, 64), Matrix::b).use;
  const Result<Plan> back = plan_from_json(to_json(use));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->buffers[kB].layout, use.buffers[kB].layout);
  EXPECT_EQ(back->buffers[kB].bytes, use.buffers[kB].bytes);
}

}  // namespace
}  // namespace wgemm
