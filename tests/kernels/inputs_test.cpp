// The inputs of a check: the same everywhere, never zero, with NaN around them, and exact where they say so.
#include "verify/inputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "tests/kernels/problems.hpp"
#include "verify/elements.hpp"
#include "verify/reference.hpp"

namespace wgemm::verify {
namespace {

constexpr auto kNoLimit = std::numeric_limits<std::uint64_t>::max();

double element(const HostProblem& given, BufferRole role, std::uint64_t index) {
  const auto& problem = given.problem;
  const auto type = role == BufferRole::a   ? problem.a.type
                    : role == BufferRole::b ? problem.b.type
                    : role == BufferRole::c ? problem.c.type
                                            : DataType::f32;
  return read_element(type, given[role], index);
}

HostProblem uniform(const Problem& problem, std::uint64_t seed = 1) {
  return make_inputs(problem, Numbers::uniform, seed, kNoLimit);
}

HostProblem integers(const Problem& problem) { return make_inputs(problem, Numbers::integers, 1, kNoLimit); }

TEST(UniformInputs, AreTheSameNumbersOnEveryPlatform) {
  const auto problem = tests::make_problem({2, 2, 2}, {}, 0, DataType::f32);
  const auto given = uniform(problem);
  // std::mt19937_64 is specified to the bit; seed 1 starts with 2469588189546311528.
  EXPECT_EQ(element(given, BufferRole::a, 0),
            static_cast<double>(2 * (2469588189546311528ULL >> 40) + 1) * 0x1p-24 - 1);
  EXPECT_EQ(given.buffers, uniform(problem).buffers);
  EXPECT_NE(given.buffers[0], uniform(problem, 2).buffers[0]);
  EXPECT_NE(given.buffers[0], given.buffers[1]);
}

TEST(UniformInputs, AreNeverZeroNorDenormalNorAboveOne) {
  for (const auto type : {DataType::f32, DataType::f16}) {
    const auto given = uniform(tests::make_problem({300, 1, 300}, {}, 0, type));
    double sum = 0;
    for (std::uint64_t i = 0; i < 90000; ++i) {
      const double value = element(given, BufferRole::a, i);
      ASSERT_LE(std::abs(value), 1);
      ASSERT_GE(std::abs(value), type == DataType::f32 ? 0x1p-24 : 0x1p-14);
      sum += value;
    }
    EXPECT_LT(std::abs(sum / 90000), 0.01);  // five standard deviations
  }
}

TEST(UniformInputs, OfIntegersTakeTheWholeRange) {
  const auto given = uniform(tests::make_problem({300, 300, 300}, {}, 0, DataType::i8, DataType::i32));
  std::set<double> seen;
  for (std::uint64_t i = 0; i < 90000; ++i) seen.insert(element(given, BufferRole::a, i));
  EXPECT_EQ(seen.size(), 256);
  EXPECT_EQ(*seen.begin(), -128);
}

TEST(Inputs, HaveNaNInGapsAndMargin) {
  const auto problem = tests::make_problem({3, 4, 5}, {Order::row_major, Order::col_major, Order::row_major},
                                           2, DataType::f32);
  for (const auto& given : {uniform(problem), integers(problem)}) {
    const auto a = [&](std::uint64_t i) { return element(given, BufferRole::a, i); };  // 3 rows of 5, 7 apart
    EXPECT_TRUE(std::isfinite(a(4)) && std::isnan(a(5)) && std::isnan(a(6)) && std::isfinite(a(7)));
    EXPECT_TRUE(std::isfinite(a(18)) && std::isnan(a(19)));
    EXPECT_GE(given.buffers[0].size(), 19 * 4 + 1024);
    EXPECT_TRUE(std::isnan(a(given.buffers[0].size() / 4 - 1)));
    const auto b = [&](std::uint64_t i) {
      return element(given, BufferRole::b, i);
    };  // 4 columns of 5, 9 apart
    EXPECT_TRUE(std::isfinite(b(4)) && std::isnan(b(5)) && std::isfinite(b(9)) && std::isnan(b(32)));
  }
}

// fault 20: with beta = 0 whatever stands in C is NaN.
TEST(Inputs, PoisonAllOfCWhereItIsNotRead) {
  auto problem = tests::make_problem({3, 4, 5}, {}, 1, DataType::f32);
  const auto unread = uniform(problem);
  for (std::uint64_t i = 0; i < unread.buffers[2].size() / 4; ++i) {
    ASSERT_TRUE(std::isnan(element(unread, BufferRole::c, i)));
  }
  problem.beta = 1;
  const auto read = uniform(problem);
  EXPECT_TRUE(std::isfinite(element(read, BufferRole::c, 3)));
  EXPECT_TRUE(std::isnan(element(read, BufferRole::c, 4)));  // the gap behind the first row
}

TEST(Inputs, FillEveryMatrixOfABatchAndTheEpilogue) {
  auto problem = tests::make_problem({2, 2, 2}, {}, 0, DataType::f32);
  problem.batch.rank = 1;
  problem.batch.extents = {3};
  problem.batch.a = {5};
  problem.batch.c = {4};
  problem.batch.residual = {6};
  problem.epilogue.bias = Bias::per_column;
  problem.epilogue.add_residual = true;
  const auto given = uniform(problem);
  for (const std::uint64_t i : {0, 3, 5, 8, 10, 13})
    EXPECT_TRUE(std::isfinite(element(given, BufferRole::a, i)));
  for (const std::uint64_t i : {4, 9, 14}) EXPECT_TRUE(std::isnan(element(given, BufferRole::a, i)));
  EXPECT_TRUE(std::isfinite(element(given, BufferRole::b, 3)));
  EXPECT_TRUE(std::isnan(element(given, BufferRole::b, 4)));
  EXPECT_TRUE(std::isfinite(element(given, BufferRole::bias, 1)));
  EXPECT_TRUE(std::isnan(element(given, BufferRole::bias, 2)));
  EXPECT_TRUE(std::isfinite(element(given, BufferRole::residual, 12 + 3)));
}

TEST(Inputs, OfQuantisedWeightsAreExactIntegersOrWithinOne) {
  for (const auto type : {DataType::u4, DataType::i4, DataType::u8, DataType::i8}) {
    for (const bool zeros : {false, true}) {
      auto problem = tests::make_problem({1, 5, 37}, {Order::row_major, Order::col_major}, 0, DataType::f32);
      problem.b.type = type;
      problem.quantization = {16, DataType::f32, zeros};
      ASSERT_TRUE(validate(problem));
      const std::vector<std::uint64_t> rows{0};
      auto given = integers(problem);
      for (std::uint64_t k = 0; k < 37; ++k) {  // A = 1 picks the sum of magnitudes
        write_element(DataType::f32, given.at(BufferRole::a), k, 1);
      }
      for (const double sum : reference_rows(given, 0, rows, Magnitude::compute).magnitude) {
        EXPECT_EQ(sum, std::round(sum));
        EXPECT_GE(sum, 37);
        EXPECT_LE(sum, 37 * 6);
      }
      given = uniform(problem);
      for (std::uint64_t k = 0; k < 37; ++k) write_element(DataType::f32, given.at(BufferRole::a), k, 1);
      for (const double sum : reference_rows(given, 0, rows, Magnitude::compute).magnitude) {
        EXPECT_GT(sum, 1);
        EXPECT_LT(sum, 37);
      }
    }
  }
}

TEST(Inputs, KeepWithinTheDevicesLimit) {
  const auto problem = tests::make_problem({8, 8, 8}, {}, 0, DataType::f32);
  EXPECT_EQ(make_inputs(problem, Numbers::uniform, 1, 300).buffers[0].size(), 300);
  EXPECT_EQ(make_inputs(problem, Numbers::uniform, 1, 256).buffers[0].size(), 256);
}

IntegerRange range_of(std::uint64_t k, DataType c_type, Accumulate accumulate = Accumulate::standard) {
  auto problem = tests::make_problem({1, 1, k}, {}, 0, DataType::f16, c_type);
  problem.accumulate = accumulate;
  return integer_range(problem);
}

TEST(IntegerRange, IsAsLargeAsExactSumsAllow) {
  using R = IntegerRange;
  EXPECT_EQ(range_of(1, DataType::f32), (R{3, 1}));
  EXPECT_EQ(range_of(1864135, DataType::f32), (R{3, 1}));
  EXPECT_EQ(range_of(1864136, DataType::f32), (R{2, 1}));
  EXPECT_EQ(range_of(4194304, DataType::f32), (R{2, 1}));
  EXPECT_EQ(range_of(4194305, DataType::f32), (R{1, 1}));
  EXPECT_EQ(range_of(16777216, DataType::f32), (R{1, 1}));
  EXPECT_EQ(range_of(16777217, DataType::f32), (R{1, 2}));
  EXPECT_EQ(range_of(227, DataType::f16), (R{3, 1}));
  EXPECT_EQ(range_of(228, DataType::f16), (R{2, 1}));
  EXPECT_EQ(range_of(512, DataType::f16), (R{2, 1}));
  EXPECT_EQ(range_of(513, DataType::f16), (R{1, 1}));
  EXPECT_EQ(range_of(227, DataType::f32, Accumulate::f16), (R{3, 1}));
  EXPECT_EQ(range_of(2048, DataType::f32, Accumulate::f16), (R{1, 1}));
  EXPECT_EQ(range_of(2049, DataType::f32, Accumulate::f16), (R{1, 2}));
}

TEST(IntegerInputs, TakeEveryValueButZero) {
  const auto given = integers(tests::make_problem({50, 1, 50}, {}, 0, DataType::f16));
  std::set<double> seen;
  for (std::uint64_t i = 0; i < 2500; ++i) seen.insert(element(given, BufferRole::a, i));
  EXPECT_EQ(seen, (std::set<double>{-3, -2, -1, 1, 2, 3}));
}

TEST(IntegerInputs, SumExactlyInF32InAnyOrder) {
  const std::uint64_t k = 1864135;
  const auto given = integers(tests::make_problem({1, 1, k}, {}, 0, DataType::f32));
  double exact = 0;
  float ascending = 0;
  float sorted = 0;  // all positive terms first: the largest partial sums there can be
  std::vector<float> terms(k);
  for (std::uint64_t i = 0; i < k; ++i) {
    terms[i] = static_cast<float>(element(given, BufferRole::a, i) * element(given, BufferRole::b, i));
    exact += terms[i];
    ascending += terms[i];
    sorted += std::max(0.0F, terms[i]);
  }
  for (std::uint64_t i = 0; i < k; ++i) sorted += std::min(0.0F, terms[i]);
  EXPECT_EQ(ascending, exact);
  EXPECT_EQ(sorted, exact);
}

TEST(IntegerInputs, LeaveZerosBetweenWhereKIsVeryLarge) {
  const auto given = integers(tests::make_problem({1, 1, 16777220}, {}, 0, DataType::f32));
  EXPECT_EQ(std::abs(element(given, BufferRole::a, 0)), 1);
  EXPECT_EQ(element(given, BufferRole::a, 1), 0);
  EXPECT_EQ(std::abs(element(given, BufferRole::a, 16777218)), 1);
  EXPECT_EQ(element(given, BufferRole::a, 16777219), 0);
}

}  // namespace
}  // namespace wgemm::verify
