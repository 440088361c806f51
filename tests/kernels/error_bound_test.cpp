// The error bound: its values, that right sums keep it, and where it ends.
#include "core/checking/error_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "verify/half.hpp"

namespace wgemm::checking {
namespace {

TEST(Gamma, IsHighamsConstant) {
  EXPECT_DOUBLE_EQ(gamma(1, 0x1p-24), 0x1p-24 / (1 - 0x1p-24));
  EXPECT_DOUBLE_EQ(gamma(1024, kUnitRoundoffF32), 0x1p-14 / (1 - 0x1p-14));
}

TEST(Gamma, SaysNothingWhereRoundingErrorsReachOne) {
  EXPECT_EQ(gamma(std::uint64_t{1} << 24, kUnitRoundoffF32), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(gamma((std::uint64_t{1} << 24) - 1, kUnitRoundoffF32)));
}

TEST(ErrorBound, GrowsWithTheMagnitudeNotWithTheResult) {
  const ErrorBound bound(100, DataType::f32);
  EXPECT_NEAR(bound(0.0, 8.0), 8 * 100 * 0x1p-24, 1e-9);
  EXPECT_EQ(bound(5.0, 8.0), bound(0.0, 8.0));
}

TEST(ErrorBound, AllowsFlushedDenormals) {
  const ErrorBound bound(3, DataType::f32);
  EXPECT_EQ(bound(0.0, 0.0), 6 * kSmallestNormalF32);
}

TEST(ErrorBound, OfF16AddsOneUnitInTheLastPlace) {
  const ErrorBound wide(4, DataType::f32);
  const ErrorBound narrow(4, DataType::f16);
  const double accumulated = wide(3.0, 3.0);
  EXPECT_DOUBLE_EQ(narrow(3.0, 3.0), accumulated + 0x1p-10 * (3.0 + accumulated));
  // Both neighbours of a sum are allowed, a value two steps away is not: 3 + 2^-9 is the one after 3 in f16.
  EXPECT_GE(narrow(3.0, 3.0), 0x1p-9);
  EXPECT_LT(narrow(3.0, 3.0), 0x1p-8);
}

TEST(ErrorBound, OfF16AllowsAFlushOnlyWhereTheResultMayBeDenormal) {
  const ErrorBound bound(1, DataType::f16);
  EXPECT_GE(bound(0x1p-15, 0x1p-15), 0x1p-15);
  EXPECT_LT(bound(0x1p-13, 0x1p-13), 0x1p-20);
}

/// Right sums, in ascending, descending and pairwise order, fused and not.
class RightSums : public testing::TestWithParam<int> {};

TEST_P(RightSums, KeepTheBound) {
  const int k = GetParam();
  std::mt19937_64 random(7);
  std::vector<float> a(k);
  std::vector<float> b(k);
  for (auto* values : {&a, &b}) {
    for (auto& value : *values) value = static_cast<float>(static_cast<double>(random() >> 40) * 0x1p-23 - 1);
  }
  double reference = 0;
  double magnitude = 0;
  for (int i = 0; i < k; ++i) {
    reference += double{a[i]} * b[i];
    magnitude += std::abs(double{a[i]} * b[i]);
  }
  float ascending = 0;
  float fused = 0;
  float descending = 0;
  std::vector<float> products(k);
  for (int i = 0; i < k; ++i) {
    products[i] = a[i] * b[i];
    ascending += products[i];
    fused = std::fma(a[i], b[i], fused);
    descending += a[k - 1 - i] * b[k - 1 - i];
  }
  while (products.size() > 1) {
    for (std::size_t i = 0; i < products.size() / 2; ++i) products[i] += products[products.size() - 1 - i];
    products.resize((products.size() + 1) / 2);
  }
  const double bound = ErrorBound(static_cast<std::uint64_t>(k), DataType::f32)(reference, magnitude);
  for (const float sum : {ascending, fused, descending, products[0]})
    EXPECT_LE(std::abs(sum - reference), bound);

  const ErrorBound narrow(static_cast<std::uint64_t>(k), DataType::f16);
  const auto stored = static_cast<float>(verify::Half(ascending));
  EXPECT_LE(std::abs(stored - reference), narrow(reference, magnitude));
}

INSTANTIATE_TEST_SUITE_P(Terms, RightSums, testing::Values(1, 2, 7, 64, 1000, 65536));

}  // namespace
}  // namespace wgemm::checking
