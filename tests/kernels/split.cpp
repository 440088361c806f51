#include "tests/kernels/split.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/kernels/adapter_test.hpp"
#include "verify/inputs.hpp"
#include "verify/trial.hpp"

namespace wgemm::tests {
namespace {

std::size_t multiply_dispatches(const Plan& plan) {
  std::size_t count = 0;
  for (const auto& step : plan.steps) {
    if (step.kind == StepKind::multiply) count += step.dispatches.size();
  }
  return count;
}

Result<std::vector<std::byte>> product_of(Context& context, const Plan& plan) {
  auto prepared = context.prepare(plan);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto given = verify::make_inputs(plan.problem, verify::Numbers::uniform, 1,
                                         verify::largest_operand(context.profile().limits));
  return verify::Trial(context, *prepared).run(given);
}

}  // namespace

void expect_same_bits_when_split(const Subject& subject, const Layout& layout) {
  auto& context = *Bench::get().context(subject.setting);
  const Shape shape{2 * subject.block.m + 3, 3 * subject.block.n + 1, subject.block.k + 5};
  const auto problem = make_problem(shape, layout, 1, subject.operands);
  const PlanOptions options{subject.kernel, EdgePolicy::checked};
  const auto whole = guarded_plan(problem, subject.setting, options);
  ASSERT_TRUE(whole) << whole.error().message;
  ASSERT_EQ(multiply_dispatches(*whole), 1);
  const auto expected = product_of(context, *whole);
  ASSERT_TRUE(expected) << expected.error().message;

  for (const double flops : {problem.flops() / 3, 1.0}) {
    auto plan = *whole;
    split_dispatches(plan, flops);
    SCOPED_TRACE(std::to_string(multiply_dispatches(plan)) + " dispatches of " + subject.kernel);
    EXPECT_GE(multiply_dispatches(plan), flops == 1.0 ? 12 : 3);
    const auto product = product_of(context, plan);
    ASSERT_TRUE(product) << product.error().message;
    EXPECT_TRUE(*product == *expected);
    auto prepared = context.prepare(plan);
    ASSERT_TRUE(prepared) << prepared.error().message;
    const auto verdict = verify::verify(context, *prepared);
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_TRUE(verdict->ok) << verdict->reason;
  }
}

}  // namespace wgemm::tests
