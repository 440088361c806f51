// The judgement finds each kind of fault in a result, and says which element.
#include "verify/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace wgemm::verify {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kRows = 3;
constexpr std::uint64_t kCols = 4;
const std::vector<std::uint64_t> kAllRows{0, 1, 2};

/// C(i, j) = 10 i + j of magnitude 50, stored rightly.
struct Right {
  HostMatrix c;
  checking::Product expected;
};

template <typename Element>
Right right_result(Order order, std::uint64_t ld) {
  const auto type = sizeof(Element) == 4 ? DataType::f32 : DataType::f16;
  Right right{make_poisoned({type, order, ld}, kRows, kCols, std::numeric_limits<std::uint64_t>::max()), {}};
  const auto view = right.c.template view<Element>();
  for (std::uint64_t row = 0; row < kRows; ++row) {
    for (std::uint64_t col = 0; col < kCols; ++col) {
      const auto value = static_cast<float>(10 * row + col);
      right.c.template elements<Element>()[view.index(row, col)] = Element(value);
      right.expected.value.push_back(value);
      right.expected.magnitude.push_back(50);
    }
  }
  return right;
}

std::string fault_of(const Right& result, std::span<const std::uint64_t> rows = kAllRows) {
  const auto bounded = judge_bound(result.c, 10, rows, result.expected);
  const auto exact = judge_exact(result.c, rows, result.expected);
  EXPECT_EQ(bounded.fault.empty(), exact.fault.empty());
  EXPECT_EQ(bounded.compared, rows.size() * kCols);
  return bounded.fault;
}

TEST(Judge, AcceptsARightResultInEveryLayout) {
  for (const auto order : {Order::row_major, Order::col_major}) {
    for (const std::uint64_t ld : {0, 7}) {
      EXPECT_THAT(fault_of(right_result<float>(order, ld)), IsEmpty());
      EXPECT_THAT(fault_of(right_result<Half>(order, ld)), IsEmpty());
    }
  }
}

TEST(Judge, NamesTheFirstWrongElement) {
  auto result = right_result<float>(Order::col_major, 5);
  result.c.elements<float>()[2 * 5 + 1] += 1;  // column 2, row 1
  result.c.elements<float>()[3 * 5 + 2] += 1;
  EXPECT_EQ(judge_exact(result.c, kAllRows, result.expected).fault, "C(1, 2) = 13, expected 12 exactly");
  EXPECT_THAT(judge_bound(result.c, 10, kAllRows, result.expected).fault,
              HasSubstr("C(1, 2) = 13, expected 12 within 2.98e-05"));
}

TEST(Judge, BoundAllowsRoundingThatEqualityDoesNot) {
  auto result = right_result<float>(Order::row_major, 0);
  result.c.elements<float>()[5] = 11.00001F;
  const auto bounded = judge_bound(result.c, 10, kAllRows, result.expected);
  EXPECT_THAT(bounded.fault, IsEmpty());
  EXPECT_NEAR(bounded.error_over_bound, 1e-5 / (50 * 10 * 0x1p-24), 0.02);
  EXPECT_THAT(judge_exact(result.c, kAllRows, result.expected).fault, HasSubstr("C(1, 1)"));
}

TEST(Judge, RefusesNaNAndInfinity) {
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    auto result = right_result<float>(Order::row_major, 0);
    result.c.elements<float>()[5] = bad;
    EXPECT_THAT(fault_of(result), HasSubstr("C(1, 1) ="));
    EXPECT_EQ(judge_bound(result.c, 10, kAllRows, result.expected).error_over_bound,
              std::numeric_limits<double>::infinity());
  }
  auto half = right_result<Half>(Order::row_major, 0);
  half.c.elements<Half>()[5] = Half(std::nanf(""));
  EXPECT_THAT(fault_of(half), HasSubstr("C(1, 1) ="));
}

TEST(Judge, FindsAnUnwrittenElementInARowThatIsNotCompared) {
  auto result = right_result<float>(Order::row_major, 6);
  result.c.elements<std::uint32_t>()[1 * 6 + 3] = kPoisonF32;
  result.expected.value.erase(result.expected.value.begin() + 4, result.expected.value.begin() + 8);
  result.expected.magnitude.resize(8);
  const std::vector<std::uint64_t> ends{0, 2};
  EXPECT_EQ(fault_of(result, ends), "C(1, 3) still holds the poison: it was not written");
}

TEST(Judge, FindsAStoreIntoAGap) {
  auto result = right_result<float>(Order::row_major, 6);
  result.c.elements<float>()[1 * 6 + 5] = 0;
  EXPECT_EQ(fault_of(result), "the gap 1 elements behind the end of row 1 of C was overwritten with 0x0");
}

TEST(Judge, FindsAStoreBehindC) {
  auto result = right_result<Half>(Order::row_major, 0);
  result.c.elements<std::uint16_t>()[12] = 0x3c00;
  EXPECT_EQ(fault_of(result), "the guard 0 elements behind the end of C was overwritten with 0x3c00");
  auto far = right_result<float>(Order::row_major, 0);
  far.c.elements<float>()[far.c.bytes.size() / 4 - 1] = 1;
  EXPECT_EQ(fault_of(far), "the guard 255 elements behind the end of C was overwritten with 0x3f800000");
}

TEST(Judge, FindsAnotherNaNInTheGuard) {
  auto result = right_result<float>(Order::row_major, 0);
  result.c.elements<std::uint32_t>()[12] = 0x7fc00000;
  EXPECT_THAT(fault_of(result), HasSubstr("the guard 0 elements"));
}

TEST(Judge, AllowsEitherNeighbourOfAnIntegerThatF16DoesNotHold) {
  auto result = right_result<Half>(Order::row_major, 0);
  result.expected.value[0] = 2049;  // f16 holds 2048 and 2050
  result.expected.magnitude[0] = 2049;
  for (const float neighbour : {2048.0F, 2050.0F}) {
    result.c.elements<Half>()[0] = Half(neighbour);
    EXPECT_THAT(fault_of(result), IsEmpty());
  }
  result.c.elements<Half>()[0] = Half(2052.0F);
  EXPECT_THAT(fault_of(result), HasSubstr("C(0, 0) = 2052, expected 2049"));
}

}  // namespace
}  // namespace wgemm::verify
