// Operands that are prepared once for many products.
#include <gtest/gtest.h>

#include "fixture.hpp"

namespace wgemm {
namespace {

class PreparedOperandTest : public OnBothLibraries {
 protected:
  static Problem problem(std::uint64_t m) {
    Problem made;
    made.m = m;
    made.n = 12;
    made.k = 8;
    return made;
  }
  static PlanOptions along_k() {
    PlanOptions options;
    options.kernel = "vec4_BM32_BN32_BK32_TM4_TN4_PAD1";
    return options;
  }
  /// Small integers, so that every order of summation gives the same.
  static std::vector<float> values(std::size_t count, std::size_t step) {
    std::vector<float> made(count);
    for (std::size_t i = 0; i < count; ++i) {
      made[i] = static_cast<float>(i * step % 7) - 3;
    }
    return made;
  }
};
WGEMM_ON_BOTH_LIBRARIES(PreparedOperandTest);

TEST_P(PreparedOperandTest, GivesTheProductsOfThePlainOneForAnyNumberOfRows) {
  Context& context = shared_context();
  const std::vector<float> b = values(std::size_t{8} * 12, 5);
  Result<PreparedOperand> operand =
      context.prepare_operand(problem(5), Matrix::b, std::as_bytes(std::span(b)), along_k());
  ASSERT_TRUE(operand) << operand.error().message;
  for (const std::uint64_t m : {5U, 1U, 33U}) {
    const std::vector<float> a = values(m * 8, 3);
    std::vector<float> expected(m * 12);
    ASSERT_TRUE(context.multiply(problem(m), std::as_bytes(std::span(a)), std::as_bytes(std::span(b)),
                                 std::as_writable_bytes(std::span(expected)), along_k()));
    Result<PreparedPlan> plan = context.prepare(problem(m), *operand, along_k());
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->plan().steps.size(), 1U) << "no step prepares B any more";
    const Buffer in = buffer_with(context, a);
    const Buffer out = buffer_with(context, ramp(m * 12, 0, 0));
    const Result<void> ran = context.run(*plan, {&in, &operand->buffer(), &out});
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(contents(context, out, m * 12), expected) << m;
  }
}

TEST_P(PreparedOperandTest, OtherPlansRefuseItAndItsPlanRefusesOthers) {
  Context& context = shared_context();
  const Buffer b = buffer_with(context, values(std::size_t{8} * 12, 5));
  Result<PreparedOperand> operand = context.prepare_operand(problem(5), Matrix::b, b, along_k());
  ASSERT_TRUE(operand) << operand.error().message;
  const Buffer a = buffer_with(context, values(std::size_t{5} * 8, 3));
  const Buffer c = buffer_with(context, ramp(std::size_t{5} * 12, 0, 0));
  Result<PreparedPlan> plain = context.prepare(problem(5), along_k());
  Result<PreparedPlan> prepared = context.prepare(problem(5), *operand, along_k());
  ASSERT_TRUE(plain && prepared);
  EXPECT_EQ(context.run(*plain, a, operand->buffer(), c).error().argument, "b");
  EXPECT_EQ(context.run(*prepared, a, b, c).error().argument, "b");
  PlanOptions naive;
  naive.kernel = "naive";
  EXPECT_EQ(context.prepare(problem(5), *operand, naive).error().argument, "operand");
  EXPECT_EQ(context.prepare(problem(5), PreparedOperand(), naive).error().argument, "operand");
  EXPECT_EQ(context.prepare_operand(problem(5), Matrix::c, b).error().argument, "matrix");
  EXPECT_EQ(context.prepare_operand(problem(5), Matrix::b, std::span<const std::byte>()).error().argument,
            "b");
}

TEST_P(PreparedOperandTest, OperandThatLiesRightIsTakenAsItIs) {
  Context& context = shared_context();
  PlanOptions naive;
  naive.kernel = "naive";
  const std::vector<float> b = values(std::size_t{8} * 12, 5);
  const Buffer given = buffer_with(context, b);
  const std::uint64_t before = context.live().buffers;
  Result<PreparedOperand> operand = context.prepare_operand(problem(5), Matrix::b, given, naive);
  ASSERT_TRUE(operand) << operand.error().message;
  EXPECT_EQ(context.live().buffers, before) << "no copy";
  Result<PreparedPlan> plan = context.prepare(problem(5), *operand, naive);
  ASSERT_TRUE(plan) << plan.error().message;
  const Buffer a = buffer_with(context, values(std::size_t{5} * 8, 3));
  const Buffer c = buffer_with(context, ramp(std::size_t{5} * 12, 0, 0));
  EXPECT_TRUE(context.run(*plan, a, operand->buffer(), c));
}

}  // namespace
}  // namespace wgemm
