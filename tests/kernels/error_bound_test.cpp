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

Problem with(std::uint64_t k, DataType c_type = DataType::f32) {
  Problem problem;
  problem.m = problem.n = 1;
  problem.k = k;
  problem.c.type = c_type;
  return problem;
}

double error(const Problem& problem, const Terms& terms, Inputs inputs = Inputs::any) {
  return ErrorBound(problem, inputs)(terms).error;
}

TEST(ErrorBound, GrowsWithTheMagnitudeNotWithTheResult) {
  EXPECT_NEAR(error(with(100), {0.0, 8.0}), 8 * 100 * 0x1p-24, 1e-9);
  EXPECT_EQ(error(with(100), {5.0, 8.0}), error(with(100), {0.0, 8.0}));
}

TEST(ErrorBound, AllowsFlushedDenormals) { EXPECT_EQ(error(with(3), {0.0, 0.0}), 6 * kSmallestNormalF32); }

TEST(ErrorBound, OfF16AddsOneUnitInTheLastPlace) {
  const double accumulated = error(with(4), {3.0, 3.0});
  const double narrow = error(with(4, DataType::f16), {3.0, 3.0});
  EXPECT_DOUBLE_EQ(narrow, accumulated + 0x1p-10 * (3.0 + accumulated));
  // Both neighbours of a sum are allowed, a value two steps away is not: 3 + 2^-9 is the one after 3 in f16.
  EXPECT_GE(narrow, 0x1p-9);
  EXPECT_LT(narrow, 0x1p-8);
}

TEST(ErrorBound, OfF16AllowsAFlushOnlyWhereTheResultMayBeDenormal) {
  EXPECT_GE(error(with(1, DataType::f16), {0x1p-15, 0x1p-15}), 0x1p-15);
  EXPECT_LT(error(with(1, DataType::f16), {0x1p-13, 0x1p-13}), 0x1p-20);
}

TEST(ErrorBound, SaysNothingBeyondTheRangeOfC) {
  EXPECT_TRUE(std::isinf(error(with(1, DataType::f16), {65520, 65520})));
  EXPECT_TRUE(std::isfinite(error(with(1, DataType::f16), {65000, 65000})));
  EXPECT_TRUE(std::isinf(error(with(1), {3.5e38, 3.5e38})));
}

TEST(ErrorBound, HasNoErrorForSmallIntegers) {
  auto problem = with(100);
  problem.alpha = -0.5;
  problem.beta = 2;
  problem.epilogue.bias = Bias::per_row;
  problem.epilogue.add_residual = true;
  const auto expected = ErrorBound(problem, Inputs::integers)({7, 900, 3, -1, 5});
  EXPECT_EQ(expected.value, -3.5 + 6 - 1 + 5);
  EXPECT_EQ(expected.error, 0);
  // Beyond 2^24, and where alpha has more bits than f32 holds besides.
  EXPECT_GT(error(with(100), {0x1p24 + 2, 0x1p24 + 2}, Inputs::integers), 0);
  problem.alpha = 0.1F;
  const double rounded = error(problem, {7, 900, 3, -1, 5}, Inputs::integers);
  EXPECT_GT(rounded, 0);
  EXPECT_LT(rounded, 110 * 100 * 0x1p-24);
}

TEST(ErrorBound, CountsEachTermOfTheEpilogue) {
  auto problem = with(4);
  const double plain = error(problem, {1, 8});
  problem.alpha = 3;
  const double scaled = error(problem, {1, 8});
  EXPECT_GE(scaled, 3 * plain);
  problem.beta = 1;
  const double added = error(problem, {1, 8, 100});
  EXPECT_GE(added, scaled + 6 * 100 * 0x1p-24);
  problem.epilogue.bias = Bias::per_row;
  EXPECT_GE(error(problem, {1, 8, 100, 1000}), added + 6 * 1000 * 0x1p-24);
}

// Parts of a product may be added to beta C one after the other.
TEST(ErrorBound, OfAnInexactFactorCountsEveryAddition) {
  auto problem = with(308);
  problem.beta = -0.3F;
  EXPECT_GT(error(problem, {1, 400, 3}, Inputs::integers), 308 * 400 * 0x1p-24);
  problem.beta = -0.5F;
  EXPECT_EQ(error(problem, {1, 400, 3}, Inputs::integers), 0);
}

TEST(ErrorBound, TakesTheActivationsSlopeAndItsError) {
  auto problem = with(4);
  problem.epilogue.activation = Activation::relu;
  EXPECT_EQ(ErrorBound(problem, Inputs::any)({-2, 8}).value, 0);
  const double straight = error(problem, {2, 8});
  for (const auto smooth : {Activation::gelu, Activation::gelu_tanh, Activation::silu}) {
    problem.epilogue.activation = smooth;
    EXPECT_GT(error(problem, {2, 8}), 1.12 * straight);
    EXPECT_LT(error(problem, {2, 8}), straight + 2e-5);
    EXPECT_NEAR(ErrorBound(problem, Inputs::any)({20, 20}).value, 20, 1e-6);
    EXPECT_NEAR(ErrorBound(problem, Inputs::any)({-20, 20}).value, 0, 1e-6);
  }
}

TEST(ErrorBound, TakesIntegersModulo2To32) {
  auto problem = with(4, DataType::i32);
  problem.a.type = problem.b.type = DataType::i8;
  problem.beta = 1;
  const auto expected = ErrorBound(problem, Inputs::any)({0x1p31 - 1, 0, 2});
  EXPECT_EQ(expected.value, -0x1p31 + 1);
  EXPECT_EQ(expected.error, 0);
  problem.c.type = DataType::f32;
  problem.beta = 0;
  EXPECT_EQ(ErrorBound(problem, Inputs::any)({0x1p31 + 3, 0}).value, -0x1p31 + 3);
}

TEST(ErrorBound, OfSumsInF16IsThatOfF16) {
  auto problem = with(16);
  problem.a.type = problem.b.type = DataType::f16;
  problem.accumulate = Accumulate::f16;
  EXPECT_GT(error(problem, {1, 1}), 16 * 0x1p-11);
  EXPECT_EQ(error(problem, {1000, 2048}, Inputs::integers), 0);
  EXPECT_GT(error(problem, {1000, 2050}, Inputs::integers), 0);
  problem.k = 2048;
  EXPECT_TRUE(std::isinf(error(problem, {1, 1})));
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
  const auto terms = Terms{reference, magnitude};
  const double bound = error(with(static_cast<std::uint64_t>(k)), terms);
  for (const float sum : {ascending, fused, descending, products[0]})
    EXPECT_LE(std::abs(sum - reference), bound);

  const auto stored = static_cast<float>(verify::Half(ascending));
  EXPECT_LE(std::abs(stored - reference), error(with(static_cast<std::uint64_t>(k), DataType::f16), terms));
}

INSTANTIATE_TEST_SUITE_P(Terms, RightSums, testing::Values(1, 2, 7, 64, 1000, 65536));

}  // namespace
}  // namespace wgemm::checking
