// The inputs of a check: the same everywhere, never zero, with NaN around them, and exact where they say so.
#include "verify/inputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tests/kernels/problems.hpp"

namespace wgemm::verify {
namespace {

constexpr auto kNoLimit = std::numeric_limits<std::uint64_t>::max();

TEST(UniformOperands, AreTheSameNumbersOnEveryPlatform) {
  const auto problem = tests::make_problem({2, 2, 2}, {}, 0, DataType::f32);
  const auto operands = uniform_operands(problem, 1, kNoLimit);
  // std::mt19937_64 is specified to the bit; seed 1 starts with 2469588189546311528.
  EXPECT_EQ(operands.a.elements<float>()[0],
            static_cast<float>(2 * (2469588189546311528ULL >> 40) + 1) * 0x1p-24F - 1);
  const auto again = uniform_operands(problem, 1, kNoLimit);
  EXPECT_EQ(operands.a.bytes, again.a.bytes);
  EXPECT_NE(operands.a.bytes, uniform_operands(problem, 2, kNoLimit).a.bytes);
  EXPECT_NE(operands.a.bytes, operands.b.bytes);
}

TEST(UniformOperands, AreNeverZeroNorDenormalNorAboveOne) {
  for (const auto type : {DataType::f32, DataType::f16}) {
    const auto problem = tests::make_problem({300, 1, 300}, {}, 0, type);
    const auto operands = uniform_operands(problem, 1, kNoLimit);
    double sum = 0;
    for (std::uint64_t i = 0; i < 90000; ++i) {
      const double value = type == DataType::f32 ? operands.a.elements<float>()[i]
                                                 : static_cast<float>(operands.a.elements<Half>()[i]);
      ASSERT_LE(std::abs(value), 1);
      ASSERT_GE(std::abs(value), type == DataType::f32 ? 0x1p-24 : 0x1p-14);
      sum += value;
    }
    EXPECT_LT(std::abs(sum / 90000), 0.01);  // five standard deviations
  }
}

TEST(Operands, HaveNaNInGapsAndMargin) {
  const auto problem = tests::make_problem({3, 4, 5}, {Order::row_major, Order::col_major, Order::row_major},
                                           2, DataType::f32);
  for (const auto& operands :
       {uniform_operands(problem, 1, kNoLimit), integer_operands(problem, 1, kNoLimit)}) {
    const auto* a = operands.a.elements<float>();  // 3 rows of 5, 7 apart
    EXPECT_TRUE(std::isfinite(a[4]) && std::isnan(a[5]) && std::isnan(a[6]) && std::isfinite(a[7]));
    EXPECT_TRUE(std::isfinite(a[18]) && std::isnan(a[19]));
    EXPECT_GE(operands.a.bytes.size(), 19 * 4 + 1024);
    EXPECT_TRUE(std::isnan(operands.a.elements<float>()[operands.a.bytes.size() / 4 - 1]));
    const auto* b = operands.b.elements<float>();  // 4 columns of 5, 9 apart
    EXPECT_TRUE(std::isfinite(b[4]) && std::isnan(b[5]) && std::isfinite(b[9]) && std::isnan(b[32]));
  }
}

TEST(Operands, KeepWithinTheDevicesLimit) {
  const auto problem = tests::make_problem({8, 8, 8}, {}, 0, DataType::f32);
  EXPECT_EQ(uniform_operands(problem, 1, 300).a.bytes.size(), 300);
  EXPECT_EQ(uniform_operands(problem, 1, 256).a.bytes.size(), 256);
}

TEST(IntegerRange, IsAsLargeAsExactSumsAllow) {
  using R = IntegerRange;
  EXPECT_EQ(integer_range(1, DataType::f32), (R{3, 1}));
  EXPECT_EQ(integer_range(1864135, DataType::f32), (R{3, 1}));
  EXPECT_EQ(integer_range(1864136, DataType::f32), (R{2, 1}));
  EXPECT_EQ(integer_range(4194304, DataType::f32), (R{2, 1}));
  EXPECT_EQ(integer_range(4194305, DataType::f32), (R{1, 1}));
  EXPECT_EQ(integer_range(16777216, DataType::f32), (R{1, 1}));
  EXPECT_EQ(integer_range(16777217, DataType::f32), (R{1, 2}));
  EXPECT_EQ(integer_range(227, DataType::f16), (R{3, 1}));
  EXPECT_EQ(integer_range(228, DataType::f16), (R{2, 1}));
  EXPECT_EQ(integer_range(512, DataType::f16), (R{2, 1}));
  EXPECT_EQ(integer_range(513, DataType::f16), (R{1, 1}));
}

TEST(IntegerOperands, TakeEveryValueButZero) {
  const auto operands = integer_operands(tests::make_problem({50, 1, 50}, {}, 0, DataType::f16), 1, kNoLimit);
  std::set<float> seen;
  for (int i = 0; i < 2500; ++i) seen.insert(static_cast<float>(operands.a.elements<Half>()[i]));
  EXPECT_EQ(seen, (std::set<float>{-3, -2, -1, 1, 2, 3}));
}

TEST(IntegerOperands, SumExactlyInF32InAnyOrder) {
  const std::uint64_t k = 1864135;
  const auto operands = integer_operands(tests::make_problem({1, 1, k}, {}, 0, DataType::f32), 1, kNoLimit);
  const auto* a = operands.a.elements<float>();
  const auto* b = operands.b.elements<float>();
  double exact = 0;
  float ascending = 0;
  float sorted = 0;  // all positive terms first: the largest partial sums there can be
  for (std::uint64_t i = 0; i < k; ++i) {
    exact += double{a[i]} * b[i];
    ascending += a[i] * b[i];
    sorted += std::max(0.0F, a[i] * b[i]);
  }
  for (std::uint64_t i = 0; i < k; ++i) sorted += std::min(0.0F, a[i] * b[i]);
  EXPECT_EQ(ascending, exact);
  EXPECT_EQ(sorted, exact);
}

TEST(IntegerOperands, LeaveZerosBetweenWhereKIsVeryLarge) {
  const auto problem = tests::make_problem({1, 1, 16777220}, {}, 0, DataType::f32);
  const auto operands = integer_operands(problem, 1, kNoLimit);
  const auto* values = operands.a.elements<float>();
  EXPECT_EQ(std::abs(values[0]), 1);
  EXPECT_EQ(values[1], 0);
  EXPECT_EQ(std::abs(values[16777218]), 1);
  EXPECT_EQ(values[16777219], 0);
}

}  // namespace
}  // namespace wgemm::verify
