// The two references agree with each other and with a product worked out by hand.
#include "verify/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "core/checking/rows.hpp"
#include "tests/kernels/problems.hpp"
#include "verify/inputs.hpp"

namespace wgemm::verify {
namespace {

constexpr auto kNoLimit = std::numeric_limits<std::uint64_t>::max();

checking::Product triple_loop(const HostMatrix& a, const HostMatrix& b, std::span<const std::uint64_t> rows) {
  return a.layout.type == DataType::f32 ? checking::multiply_rows(a.view<float>(), b.view<float>(), rows)
                                        : checking::multiply_rows(a.view<Half>(), b.view<Half>(), rows);
}

TEST(TripleLoop, MultipliesByHand) {
  // A = (1 2 3; 4 5 6) row-major with ld 4, B = (7 8; 9 -10; 11 12) column-major.
  const std::vector<float> a{1, 2, 3, 99, 4, 5, 6, 99};
  const std::vector<float> b{7, 9, 11, 8, -10, 12};
  const checking::MatrixView<float> left(a.data(), {DataType::f32, Order::row_major, 4}, 2, 3);
  const checking::MatrixView<float> right(b.data(), {DataType::f32, Order::col_major, 0}, 3, 2);
  const std::vector<std::uint64_t> both{0, 1};
  const auto product = checking::multiply_rows(left, right, both);
  EXPECT_EQ(product.value, (std::vector<double>{58, 24, 139, 54}));
  EXPECT_EQ(product.magnitude, (std::vector<double>{58, 64, 139, 154}));
  const std::vector<std::uint64_t> second{1};
  EXPECT_EQ(checking::multiply_rows(left, right, second).value, (std::vector<double>{139, 54}));
}

TEST(References, AgreeInEveryLayoutAndType) {
  for (const auto type : {DataType::f32, DataType::f16}) {
    for (const auto& layout : tests::all_layouts()) {
      for (const std::uint64_t gap : {0, 3}) {
        // More than one panel of k.
        const auto problem = tests::make_problem({9, 7, 1100}, layout, gap, type);
        const auto operands = uniform_operands(problem, 3, kNoLimit);
        const auto rows = checking::sample_rows(9, 5, 1);
        const auto expected = triple_loop(operands.a, operands.b, rows);
        const auto product = reference_rows(operands.a, operands.b, rows, Magnitude::compute);
        ASSERT_EQ(product.value.size(), expected.value.size());
        for (std::size_t i = 0; i < expected.value.size(); ++i) {
          EXPECT_NEAR(product.value[i], expected.value[i], 1e-12) << describe(problem);
          EXPECT_NEAR(product.magnitude[i], expected.magnitude[i], 1e-12) << describe(problem);
        }
        EXPECT_TRUE(reference_rows(operands.a, operands.b, rows, Magnitude::skip).magnitude.empty());
      }
    }
  }
}

TEST(SampleRows, TakesAllWhereNoneAreLeftOut) {
  EXPECT_EQ(checking::sample_rows(3, 0, 1), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(checking::sample_rows(3, 3, 1), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(checking::sample_rows(1, 5, 1), (std::vector<std::uint64_t>{0}));
}

TEST(SampleRows, SpreadsFromTheFirstToTheLast) {
  for (const std::uint64_t count : {2, 3, 17, 64, 999}) {
    const auto rows = checking::sample_rows(1000, count, 5);
    ASSERT_EQ(rows.size(), count);
    EXPECT_EQ(rows.front(), 0);
    EXPECT_EQ(rows.back(), 999);
    EXPECT_EQ(std::ranges::adjacent_find(rows, std::greater_equal<>()), rows.end());
  }
  // Not the same row of every 16-row tile.
  const auto rows = checking::sample_rows(4096, 256, 1);
  std::vector<int> hits(16);
  for (const auto row : rows) ++hits[row % 16];
  EXPECT_GT(std::ranges::min(hits), 0);
}

}  // namespace
}  // namespace wgemm::verify
