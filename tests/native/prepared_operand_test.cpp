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

/// A B of 13 columns of 100 integers of 4 bits, with scales and zero points.
class PreparedWeightsTest : public OnBothLibraries {
 protected:
  static Problem problem(std::uint64_t m) {
    Problem made;
    made.m = m;
    made.n = 13;
    made.k = 100;
    made.b = {DataType::u4, Order::col_major};
    made.quantization = {32, DataType::f32, true};
    return made;
  }
  static PlanOptions tiled() {
    PlanOptions options;
    options.kernel = "tiled_TILE8";
    return options;
  }
  /// A full period of an odd generator: every byte occurs.
  static std::vector<std::byte> bytes(std::size_t count) {
    std::vector<std::byte> made(count);
    for (std::size_t i = 0; i < count; ++i) {
      made[i] = static_cast<std::byte>(i * 167 + 13);
    }
    return made;
  }
  [[nodiscard]] HostOperands host() const {
    HostOperands operands;
    operands.b = weights;
    operands.scales = std::as_bytes(std::span(scales));
    operands.zeros = zeros;
    return operands;
  }

  const std::vector<std::byte> weights = bytes(std::size_t{13} * 128 / 2);
  const std::vector<float> scales = ramp(std::size_t{13} * 4, 0.3F, 0.07F);
  const std::vector<std::byte> zeros = bytes(std::size_t{13} * 2);
};
WGEMM_ON_BOTH_LIBRARIES(PreparedWeightsTest);

TEST_P(PreparedWeightsTest, GiveTheBitsOfThoseThatTheKernelDequantises) {
  Context& context = shared_context();
  Result<PreparedOperand> operand = context.prepare_operand(problem(5), Matrix::b, host(), tiled());
  ASSERT_TRUE(operand) << operand.error().message;
  EXPECT_EQ(operand->buffer().size(), std::uint64_t{13} * 100 * 4) << "numbers of f32";
  for (const std::uint64_t m : {5U, 1U, 9U}) {
    const std::vector<float> a = ramp(m * 100, -1.3F, 0.0171F);
    std::vector<float> expected(m * 13);
    HostOperands operands = host();
    operands.a = std::as_bytes(std::span(a));
    operands.c = std::as_writable_bytes(std::span(expected));
    ASSERT_TRUE(context.multiply(problem(m), operands, tiled()));
    Result<PreparedPlan> plan = context.prepare(problem(m), *operand, tiled());
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->plan().steps.size(), 1U);
    const Buffer in = buffer_with(context, a);
    const Buffer out = buffer_with(context, ramp(m * 13, 0, 0));
    const Result<void> ran = context.run(*plan, in, operand->buffer(), out);
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(contents(context, out, m * 13), expected) << m;
  }
}

TEST_P(PreparedWeightsTest, ErrorsNameWhatIsMissingOrTooLarge) {
  Context& context = shared_context();
  const auto error_of = [&](const HostOperands& given) {
    return context.prepare_operand(problem(5), Matrix::b, given, tiled()).error();
  };
  HostOperands given = host();
  given.scales = given.scales.first(4);
  EXPECT_EQ(error_of(given).argument, "scales");
  given = host();
  given.zeros = {};
  EXPECT_EQ(error_of(given).argument, "zeros");
  // Integers alone are no quantised B.
  EXPECT_EQ(context.prepare_operand(problem(5), Matrix::b, weights, tiled()).error().argument, "scales");
  Result<Buffer> integers = context.create_buffer(weights.size());
  ASSERT_TRUE(integers && context.upload(*integers, 0, weights));
  const Error unscaled = context.prepare_operand(problem(5), Matrix::b, *integers, tiled()).error();
  EXPECT_EQ(unscaled.code, ErrorCode::invalid_argument);
  EXPECT_EQ(unscaled.argument, "scales");
  EXPECT_EQ(context.prepare_operand(problem(5), Matrix::b, Operands(), tiled()).error().argument, "b");
  // Products of unprepared weights refuse them, and those of prepared ones the integers.
  Result<PreparedOperand> operand = context.prepare_operand(problem(5), Matrix::b, host(), tiled());
  Result<PreparedPlan> plain = context.prepare(problem(5), tiled());
  ASSERT_TRUE(operand && plain);
  Result<PreparedPlan> prepared = context.prepare(problem(5), *operand, tiled());
  ASSERT_TRUE(prepared) << prepared.error().message;
  const Buffer a = buffer_with(context, ramp(500, 0, 1));
  const Buffer c = buffer_with(context, ramp(65, 0, 0));
  EXPECT_EQ(context.run(*plain, a, operand->buffer(), c).error().argument, "b");
  EXPECT_EQ(context.run(*prepared, a, *integers, c).error().argument, "b");
  // Scales beside numbers would change nothing.
  const Buffer others = buffer_with(context, scales);
  Operands beside;
  beside.a = &a;
  beside.b = &operand->buffer();
  beside.c = &c;
  beside.scales = &others;
  EXPECT_EQ(context.run(*prepared, beside).error().argument, "scales");
  // B without blocks has no scales.
  Problem plain_f32 = problem(5);
  plain_f32.b.type = DataType::f32;
  plain_f32.quantization = {};
  EXPECT_EQ(context.prepare_operand(plain_f32, Matrix::b, host(), tiled()).error().argument, "scales");
  EXPECT_EQ(context.prepare_operand(plain_f32, Matrix::b, beside, tiled()).error().argument, "scales");
  // As numbers they take eight times the memory, and lie in one buffer.
  Problem large = problem(5);
  large.k = 32;
  large.n = context.profile().limits.max_storage_buffer_binding_size / 128 + 1;  // columns of 128 bytes
  const Error refused = context.prepare_operand(large, Matrix::b, Operands(), tiled()).error();
  EXPECT_EQ(refused.code, ErrorCode::unsupported);
  EXPECT_EQ(refused.argument, "matrix");
}

}  // namespace
}  // namespace wgemm
