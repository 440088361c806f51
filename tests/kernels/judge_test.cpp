// The judgement finds each kind of fault in a result, and says which element.
#include "verify/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/kernels/problems.hpp"
#include "verify/elements.hpp"
#include "verify/inputs.hpp"

namespace wgemm::verify {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kRows = 3;
constexpr std::uint64_t kCols = 4;
const std::vector<std::uint64_t> kAllRows{0, 1, 2};

/// C(i, j) = 10 i + j, a sum of ten terms of which two cancel and that are of magnitude 50 together; stored
/// rightly in `c`.
struct Right {
  HostProblem given;
  std::vector<std::byte> c;

  [[nodiscard]] std::uint64_t index(std::uint64_t row, std::uint64_t col) const {
    const auto ld = leading_dimension(given.problem, Matrix::c);
    return given.problem.c.order == Order::row_major ? row * ld + col : col * ld + row;
  }
  void set(std::uint64_t index, double value) { write_element(given.problem.c.type, c, index, value); }
  void set_bits(std::uint64_t index, std::uint32_t bits) {
    std::memcpy(c.data() + index * size_of(given.problem.c.type), &bits, size_of(given.problem.c.type));
  }
};

Right right_result(DataType type, Order order, std::uint64_t ld) {
  auto problem = tests::make_problem({kRows, kCols, 10}, {}, 0, DataType::f32);
  problem.c = {type, order, ld};
  Right right{make_poisoned(problem, std::numeric_limits<std::uint64_t>::max()), {}};
  // A = (10 i + j is the sum of) i, 1, x, -x, 0 ...; B = 10, j, 1, 1, 0 ...: x makes up the magnitude.
  auto& given = right.given;
  for (std::uint64_t row = 0; row < kRows; ++row) {
    for (std::uint64_t k = 0; k < 10; ++k) {
      const double left[] = {static_cast<double>(row), 1, 0, 0};
      write_element(DataType::f32, given.at(BufferRole::a), row * 10 + k, k < 4 ? left[k] : 0);
    }
  }
  for (std::uint64_t col = 0; col < kCols; ++col) {
    for (std::uint64_t k = 0; k < 10; ++k) {
      const double factors[] = {10, static_cast<double>(col)};
      write_element(DataType::f32, given.at(BufferRole::b), k * kCols + col, k < 2 ? factors[k] : 1);
    }
  }
  for (std::uint64_t row = 0; row < kRows; ++row) {
    const double x = 25 - 5 * static_cast<double>(row);
    write_element(DataType::f32, given.at(BufferRole::a), row * 10 + 2, x);
    write_element(DataType::f32, given.at(BufferRole::a), row * 10 + 3, -x);
  }
  right.c = given.at(BufferRole::c);
  for (std::uint64_t row = 0; row < kRows; ++row) {
    for (std::uint64_t col = 0; col < kCols; ++col) {
      right.set(right.index(row, col), static_cast<double>(10 * row + col));
    }
  }
  return right;
}

Right right_result(Order order, std::uint64_t ld) { return right_result(DataType::f32, order, ld); }

std::string fault_of(const Right& result, std::span<const std::uint64_t> rows = kAllRows) {
  const auto bounded = judge_bound(result.given, result.c, rows);
  const auto exact = judge_exact(result.given, result.c, rows);
  EXPECT_EQ(bounded.fault.empty(), exact.fault.empty());
  EXPECT_EQ(bounded.compared, rows.size() * kCols);
  return bounded.fault;
}

std::string exact_fault(const Right& result) { return judge_exact(result.given, result.c, kAllRows).fault; }

TEST(Judge, AcceptsARightResultInEveryLayout) {
  for (const auto type : {DataType::f32, DataType::f16}) {
    for (const auto order : {Order::row_major, Order::col_major}) {
      for (const std::uint64_t ld : {0, 7}) EXPECT_THAT(fault_of(right_result(type, order, ld)), IsEmpty());
    }
  }
}

TEST(Judge, NamesTheFirstWrongElement) {
  auto result = right_result(Order::col_major, 5);
  result.set(result.index(1, 2), 13);
  result.set(result.index(2, 3), 24);
  EXPECT_EQ(exact_fault(result), "C(1, 2) = 13, expected 12 exactly");
  EXPECT_THAT(fault_of(result), HasSubstr("C(1, 2) = 13, expected 12 within 3.1e-05"));
}

TEST(Judge, BoundAllowsRoundingThatEqualityDoesNot) {
  auto result = right_result(Order::row_major, 0);
  result.set(5, 11.00001);
  const auto bounded = judge_bound(result.given, result.c, kAllRows);
  EXPECT_THAT(bounded.fault, IsEmpty());
  EXPECT_NEAR(bounded.error_over_bound, 1e-5 / (51 * 10 * 0x1p-24), 0.02);
  EXPECT_THAT(exact_fault(result), HasSubstr("C(1, 1)"));
}

TEST(Judge, ComparesSmallIntegersToTheBit) {
  const auto result = right_result(Order::row_major, 0);
  EXPECT_EQ(judge_exact(result.given, result.c, kAllRows).compared_bits, kRows * kCols);
  EXPECT_EQ(judge_bound(result.given, result.c, kAllRows).compared_bits, 0);
}

TEST(Judge, RefusesNaNAndInfinity) {
  for (const auto type : {DataType::f32, DataType::f16}) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      auto result = right_result(type, Order::row_major, 0);
      result.set(5, bad);
      EXPECT_THAT(fault_of(result), HasSubstr("C(1, 1) ="));
      EXPECT_EQ(judge_bound(result.given, result.c, kAllRows).error_over_bound,
                std::numeric_limits<double>::infinity());
    }
  }
}

TEST(Judge, FindsAnUnwrittenElementInARowThatIsNotCompared) {
  auto result = right_result(Order::row_major, 6);
  result.set_bits(1 * 6 + 3, kPoisonF32);
  const std::vector<std::uint64_t> ends{0, 2};
  EXPECT_EQ(fault_of(result, ends), "C(1, 3) still holds the poison: it was not written");
}

TEST(Judge, FindsAStoreIntoAGap) {
  auto result = right_result(Order::row_major, 6);
  result.set(1 * 6 + 5, 0);
  EXPECT_EQ(fault_of(result), "the gap 1 elements behind the end of row 1 of C was overwritten with 0x0");
}

TEST(Judge, FindsAStoreBehindC) {
  auto result = right_result(DataType::f16, Order::row_major, 0);
  result.set_bits(12, 0x3c00);
  EXPECT_EQ(fault_of(result), "the guard 0 elements behind the end of C was overwritten with 0x3c00");
  auto far = right_result(Order::row_major, 0);
  far.set(far.c.size() / 4 - 1, 1);
  EXPECT_EQ(fault_of(far), "the guard 255 elements behind the end of C was overwritten with 0x3f800000");
}

TEST(Judge, FindsAnotherNaNInTheGuard) {
  auto result = right_result(Order::row_major, 0);
  result.set_bits(12, 0x7fc00000);
  EXPECT_THAT(fault_of(result), HasSubstr("the guard 0 elements"));
}

TEST(Judge, AllowsEitherNeighbourOfAnIntegerThatF16DoesNotHold) {
  auto result = right_result(DataType::f16, Order::row_major, 0);
  write_element(DataType::f32, result.given.at(BufferRole::a), 4, 2049);  // f16 holds 2048 and 2050
  for (const double neighbour : {2048.0, 2050.0}) {
    const double row[] = {neighbour, 2050, neighbour + 2, 2052};
    for (std::uint64_t col = 0; col < kCols; ++col) result.set(col, row[col]);
    EXPECT_THAT(fault_of(result), IsEmpty());
  }
  result.set(0, 2054);
  EXPECT_THAT(fault_of(result), HasSubstr("C(0, 0) = 2054, expected 2049"));
}

/// A problem with everything that a result is made of, and the right C by hand.
struct Whole {
  HostProblem given;
  std::vector<std::byte> c;
};

Whole whole_result() {
  auto problem = tests::make_problem({2, 3, 2}, {}, 0, DataType::f32);
  problem.batch.rank = 1;
  problem.batch.extents = {2};
  problem.batch.a = {5};
  problem.batch.b = {0};
  problem.batch.c = {8};
  problem.batch.residual = {6};
  problem.alpha = 2;
  problem.beta = -0.5;
  problem.epilogue = {Bias::per_row, DataType::f32, Activation::clamp, -3, 20, true, {}};
  Whole whole{make_inputs(problem, Numbers::integers, 3, 4096), {}};
  auto& given = whole.given;
  whole.c = given.at(BufferRole::c);
  const auto at = [&](BufferRole role, std::uint64_t i) {
    return read_element(DataType::f32, given[role], i);
  };
  for (std::uint64_t p = 0; p < 2; ++p) {
    for (std::uint64_t row = 0; row < 2; ++row) {
      for (std::uint64_t col = 0; col < 3; ++col) {
        double sum = 0;
        for (std::uint64_t k = 0; k < 2; ++k) {
          sum += at(BufferRole::a, p * 5 + row * 2 + k) * at(BufferRole::b, k * 3 + col);
        }
        const auto i = p * 8 + row * 3 + col;
        const double x = 2 * sum - 0.5 * at(BufferRole::c, i) + at(BufferRole::bias, row);
        write_element(DataType::f32, whole.c, i,
                      std::clamp(x, -3.0, 20.0) + at(BufferRole::residual, p * 6 + row * 3 + col));
      }
    }
  }
  return whole;
}

TEST(Judge, KnowsEveryTermOfTheProblem) {
  const std::vector<std::uint64_t> rows{0, 1};
  const auto right = whole_result();
  const auto exact = judge_exact(right.given, right.c, rows);
  EXPECT_THAT(exact.fault, IsEmpty());
  EXPECT_EQ(exact.compared, 12);
  EXPECT_EQ(exact.compared_bits, 12);
  EXPECT_THAT(judge_bound(right.given, right.c, rows).fault, IsEmpty());
  // Each operand, changed in one element, makes the result wrong.
  for (const auto role :
       {BufferRole::a, BufferRole::b, BufferRole::c, BufferRole::bias, BufferRole::residual}) {
    auto wrong = right;
    auto& buffer = wrong.given.at(role);
    write_element(DataType::f32, buffer, 0, read_element(DataType::f32, buffer, 0) + 64);
    EXPECT_THAT(judge_exact(wrong.given, wrong.c, rows).fault, HasSubstr("of product 0")) << to_string(role);
  }
  auto wrong = right;
  write_element(DataType::f32, wrong.c, 8 + 4, 99);
  EXPECT_THAT(judge_exact(wrong.given, wrong.c, rows).fault, HasSubstr("C(1, 1) of product 1 = 99"));
  wrong = right;
  write_element(DataType::f32, wrong.c, 7, 99);
  EXPECT_THAT(judge_exact(wrong.given, wrong.c, rows).fault,
              HasSubstr("element 7 of C's buffer, which belongs to no C, was overwritten"));
}

TEST(Judge, TakesSumsOfIntegersModulo2To32) {
  auto problem = tests::make_problem({1, 1, 1 << 18}, {}, 0, DataType::i8, DataType::i32);
  auto given = make_poisoned(problem, 0);
  for (const auto role : {BufferRole::a, BufferRole::b}) std::ranges::fill(given.at(role), std::byte{0x80});
  auto c = given.at(BufferRole::c);
  const std::vector<std::uint64_t> rows{0};
  write_element(DataType::i32, c, 0, 0);  // 2^18 * 2^14 = 2^32
  EXPECT_THAT(judge_bound(given, c, rows).fault, IsEmpty());
  write_element(DataType::i32, c, 0, 1);
  EXPECT_THAT(judge_bound(given, c, rows).fault, HasSubstr("expected 0 exactly"));
}

}  // namespace
}  // namespace wgemm::verify
