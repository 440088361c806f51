// The reference agrees with a triple loop and with products worked out by hand.
#include "verify/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/checking/rows.hpp"
#include "tests/kernels/problems.hpp"
#include "verify/elements.hpp"
#include "verify/inputs.hpp"

namespace wgemm::verify {
namespace {

constexpr auto kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// A triple loop over the elements where problem.hpp says that they lie; it shares nothing with the
/// reference.
Product triple_loop(const HostProblem& given, std::uint64_t product, std::span<const std::uint64_t> rows) {
  const auto& problem = given.problem;
  const auto at = [&](Matrix matrix, BufferRole role, std::uint64_t row, std::uint64_t col) {
    if (is_transposed(problem, matrix)) std::swap(row, col);
    const auto& layout = layout_of(problem, matrix);
    const auto ld = leading_dimension(problem, matrix);
    const auto index = layout.order == Order::row_major ? row * ld + col : col * ld + row;
    return read_element(layout.type, given[role], first_element(problem, matrix, product) + index);
  };
  Product result;
  for (const auto row : rows) {
    for (std::uint64_t col = 0; col < problem.n; ++col) {
      double sum = 0;
      double magnitude = 0;
      for (std::uint64_t k = 0; k < problem.k; ++k) {
        const double term = at(Matrix::a, BufferRole::a, row, k) * at(Matrix::b, BufferRole::b, k, col);
        sum += term;
        magnitude += std::abs(term);
      }
      result.value.push_back(sum);
      result.magnitude.push_back(magnitude);
    }
  }
  return result;
}

void expect_agreement(const Problem& problem) {
  const auto given = make_inputs(problem, Numbers::uniform, 3, kNoLimit);
  const auto rows = checking::sample_rows(problem.m, 5, 1);
  for (std::uint64_t p = 0; p < problem.batch.count(); ++p) {
    const auto expected = triple_loop(given, p, rows);
    const auto product = reference_rows(given, p, rows, Magnitude::compute);
    ASSERT_EQ(product.value.size(), expected.value.size());
    for (std::size_t i = 0; i < expected.value.size(); ++i) {
      ASSERT_NEAR(product.value[i], expected.value[i], 1e-12 * expected.magnitude[i]) << describe(problem);
      ASSERT_NEAR(product.magnitude[i], expected.magnitude[i], 1e-12 * expected.magnitude[i]);
      ASSERT_LE(product.magnitude[i], largest_magnitude(given) * (1 + 1e-12));
    }
    EXPECT_TRUE(reference_rows(given, p, rows, Magnitude::skip).magnitude.empty());
  }
}

TEST(Reference, MultipliesByHand) {
  // A = (1 2 3; 4 5 6) row-major with ld 4, B = (7 8; 9 -10; 11 12) column-major.
  auto problem = tests::make_problem({2, 2, 3}, {Order::row_major, Order::col_major}, 0, DataType::f32);
  problem.a.ld = 4;
  HostProblem given{problem, {}};
  const std::vector<float> a{1, 2, 3, 99, 4, 5, 6, 99};
  const std::vector<float> b{7, 9, 11, 8, -10, 12};
  given.at(BufferRole::a).assign(std::as_bytes(std::span(a)).begin(), std::as_bytes(std::span(a)).end());
  given.at(BufferRole::b).assign(std::as_bytes(std::span(b)).begin(), std::as_bytes(std::span(b)).end());
  const std::vector<std::uint64_t> both{0, 1};
  const auto product = reference_rows(given, 0, both, Magnitude::compute);
  EXPECT_EQ(product.value, (std::vector<double>{58, 24, 139, 54}));
  EXPECT_EQ(product.magnitude, (std::vector<double>{58, 64, 139, 154}));
  const std::vector<std::uint64_t> second{1};
  EXPECT_EQ(reference_rows(given, 0, second, Magnitude::skip).value, (std::vector<double>{139, 54}));
}

TEST(Reference, DequantisesByHand) {
  auto problem = tests::make_problem({1, 2, 18}, {Order::row_major, Order::col_major}, 0, DataType::f32);
  problem.b.type = DataType::u4;
  problem.quantization = {16, DataType::f16, true};
  ASSERT_TRUE(validate(problem));
  auto given = make_poisoned(problem, 0);
  for (std::uint64_t k = 0; k < 18; ++k)
    write_element(DataType::f32, given.at(BufferRole::a), k, k < 16 ? 1 : 10);
  for (std::uint64_t i = 0; i < 64; ++i)
    write_element(DataType::u4, given.at(BufferRole::b), i, 15);  // ldb = 32
  for (std::uint64_t k = 0; k < 18; ++k) {
    write_element(DataType::u4, given.at(BufferRole::b), k, 9);
    write_element(DataType::u4, given.at(BufferRole::b), 32 + k, k < 16 ? 1 : 2);
  }
  const double scales[] = {2, 0.5, 4, 0.25};
  const double zeros[] = {8, 1, 3, 12};
  for (std::uint64_t i = 0; i < 4; ++i) {
    write_element(DataType::f16, given.at(BufferRole::scales), i, scales[i]);
    write_element(DataType::u4, given.at(BufferRole::zeros), i, zeros[i]);
  }
  const std::vector<std::uint64_t> row{0};
  EXPECT_EQ(
      reference_rows(given, 0, row, Magnitude::skip).value,
      (std::vector<double>{16 * 2 * (9 - 8) + 20 * 0.5 * (9 - 1), 16 * 4 * (1 - 3) + 20 * 0.25 * (2 - 12)}));
}

TEST(Reference, AgreesWithATripleLoopInEveryLayoutAndType) {
  for (const auto type : {DataType::f32, DataType::f16, DataType::i8, DataType::u8}) {
    for (const auto& layout : tests::all_layouts()) {
      for (const std::uint64_t gap : {0, 3}) {
        for (const auto trans : {Transpose::none, Transpose::transpose}) {
          // More than one panel of k.
          auto problem = tests::make_problem({9, 7, 1100}, layout, 0, type, DataType::f32);
          problem.trans_a = problem.trans_b = trans;
          for (const auto matrix : {Matrix::a, Matrix::b}) {
            auto& stored = matrix == Matrix::a ? problem.a : problem.b;
            stored.ld = leading_dimension(problem, matrix) + gap;
            stored.offset = gap;
          }
          expect_agreement(problem);
        }
      }
    }
  }
}

TEST(Reference, AgreesWithATripleLoopInBatches) {
  auto problem = tests::make_problem({5, 4, 6}, {}, 1, DataType::f32);
  problem.batch.rank = 2;
  problem.batch.extents = {2, 3};
  problem.batch.a = {40, 0};
  problem.batch.b = {0, 45};
  problem.batch.c = {200, 50};
  expect_agreement(problem);
  problem.batch = {};
  problem.batch.table = {{0, 45, 50, 0}, {40, 0, 0, 0}, {7, 9, 100, 0}};
  expect_agreement(problem);
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
