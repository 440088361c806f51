// Products of integers, summed modulo 2^32, on the adapter.
#include <gmock/gmock.h>

#include <string>

#include "tests/kernels/adapter_test.hpp"
#include "tests/kernels/typed_problems.hpp"

namespace wgemm::tests {
namespace {

class IntegersTest : public AdapterTest {};

constexpr auto* kPackedDot = "packed-dot_BM8_BN16_BK16_TM2_TN4";

TEST_F(IntegersTest, OfEverySign) {
  for (std::size_t turn = 0; turn < 8; ++turn) {
    const auto a = turn % 2 == 0 ? DataType::i8 : DataType::u8;
    const auto b = turn / 2 % 2 == 0 ? DataType::i8 : DataType::u8;
    auto problem = of_types(Problem{7, 13, turn < 4 ? 20U : 22U}, a, b, DataType::i32);
    problem.b.order = static_cast<Order>(turn < 4);
    for (const auto& kernel : {std::string(kPackedDot), kernel_of(turn)}) {
      expect_right_everywhere(problem, {kernel});
      expect_right_on_extremes(problem, {kernel});
    }
    problem.a.order = static_cast<Order>(turn / 2 % 2);
    problem.c.order = static_cast<Order>(turn & 1);
    problem.beta = 1;
    problem.a.offset = 1;
    const auto edges = turn % 2 == 0 ? EdgePolicy::padded : EdgePolicy::checked;
    expect_right_on_extremes(problem, {kPackedDot, edges, 2}, Setting::minimum);
    if (turn < 3) expect_right_on_extremes(problem, {kernel_of(turn + 1), edges, 2}, Setting::minimum);
    if (HasFailure()) return;
  }
  expect_right_everywhere(of_types(Problem{70, 65, 130}, DataType::u8, DataType::i8, DataType::i32), {});
}

TEST_F(IntegersTest, IntoAScaledC) {
  for (const auto& kernel : {std::string(kPackedDot), kernels()[3]}) {
    auto scaled = of_types(Problem{9, 6, 17}, DataType::u8, DataType::i8, DataType::f32);
    scaled.alpha = 0.5;
    scaled.beta = 2;
    scaled.epilogue.bias = Bias::per_column;
    scaled.epilogue.activation = Activation::relu;
    expect_right_everywhere(scaled, {kernel});
    scaled.c.type = DataType::f16;
    scaled.alpha = 0x1p-10F;
    expect_right_everywhere(scaled, {kernel}, Setting::minimum);
    scaled.alpha = -0x1p-10F;  // of sums that are mostly negative, and beyond f16 before they are scaled
    expect_right_on_extremes(scaled, {kernel}, Setting::minimum);
  }
}

TEST_F(IntegersTest, WrapModulo2To32) {
  for (const auto* kernel : {"coalesced_WX8_WY8", kPackedDot}) {
    for (const auto type : {DataType::i8, DataType::u8}) {
      // Seven of eight are -128 or 255: the sums are near 96 * 96 * K and 223 * 223 * K, beyond 2^31.
      const auto problem = of_types(Problem{2, 3, 300001}, type, type, DataType::i32);
      expect_right_on_extremes(problem, {kernel});
      expect_right_on_extremes(problem, {kernel, EdgePolicy::checked, 3});
    }
  }
}

}  // namespace
}  // namespace wgemm::tests
