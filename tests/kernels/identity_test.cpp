// The identity of a whole product holds for right results and for no wrong one, whatever is multiplied.
#include "verify/identity.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

#include "tests/kernels/problems.hpp"
#include "verify/elements.hpp"
#include "verify/inputs.hpp"
#include "verify/reference.hpp"

namespace wgemm::verify {
namespace {

struct Result {
  HostProblem given;
  std::vector<std::byte> c;

  [[nodiscard]] std::uint64_t index(std::uint64_t product, std::uint64_t row, std::uint64_t col) const {
    const auto ld = leading_dimension(given.problem, Matrix::c);
    const bool by_row = given.problem.c.order == Order::row_major;
    return first_element(given.problem, Matrix::c, product) + (by_row ? row * ld + col : col * ld + row);
  }
  void set(std::uint64_t product, std::uint64_t row, std::uint64_t col, double value) {
    write_element(given.problem.c.type, c, index(product, row, col), value);
  }
  [[nodiscard]] double get(std::uint64_t product, std::uint64_t row, std::uint64_t col) const {
    return read_element(given.problem.c.type, c, index(product, row, col));
  }
};

/// A right C on small integers.
Result right(const Problem& problem) {
  Result result{make_inputs(problem, Numbers::integers, 3, 1U << 20U), {}};
  result.c = result.given.buffers[static_cast<std::size_t>(BufferRole::c)];
  std::vector<std::uint64_t> rows(problem.m);
  std::iota(rows.begin(), rows.end(), 0);
  for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
    const auto sums = reference_rows(result.given, product, rows, Magnitude::skip).value;
    for (std::uint64_t i = 0; i < sums.size(); ++i) {
      result.set(product, i / problem.n, i % problem.n, sums[i]);
    }
  }
  return result;
}

using Rows = std::vector<std::uint64_t>;

Rows doubtful(const Result& result) {
  return find_doubtful_rows(result.given, make_identity(result.given, 1), result.c);
}

std::vector<Problem> problems() {
  std::vector<Problem> all;
  for (const auto& layout : tests::all_layouts()) {
    for (const auto type : {DataType::f32, DataType::f16, DataType::i8}) {
      const auto c_type = type == DataType::i8 ? DataType::i32 : type;
      all.push_back(tests::make_problem({7, 5, 30}, layout, 2, type, c_type));
    }
  }
  auto batch = tests::make_problem({4, 3, 9}, tests::all_layouts().front(), 0, DataType::f32);
  batch.trans_a = batch.trans_b = Transpose::transpose;
  batch.batch.rank = 1;
  batch.batch.extents[0] = 3;
  batch.batch.a[0] = 36;
  batch.batch.b[0] = 0;
  batch.batch.c[0] = 12;
  all.push_back(batch);
  Problem weights;
  weights.m = 6;
  weights.n = 4;
  weights.k = 50;
  weights.trans_b = Transpose::transpose;
  weights.b.type = DataType::u4;
  weights.quantization = {16, DataType::f16, true};
  all.push_back(weights);
  return all;
}

TEST(Identity, HoldsForRightResultsAndFindsTheRowOfEachWrongElement) {
  for (const auto& problem : problems()) {
    SCOPED_TRACE(describe(problem));
    ASSERT_TRUE(has_identity(problem));
    auto result = right(problem);
    EXPECT_EQ(doubtful(result), Rows());
    for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
      for (std::uint64_t row = 0; row < problem.m; ++row) {
        for (std::uint64_t col = 0; col < problem.n; ++col) {
          const double before = result.get(product, row, col);
          result.set(product, row, col, before + 1);
          ASSERT_EQ(doubtful(result), Rows{row}) << "product " << product << ", column " << col;
          result.set(product, row, col, before);
        }
      }
    }
  }
}

TEST(Identity, FindsExchangedElementsAndWhatIsNoInteger) {
  auto result = right(tests::make_problem({5, 6, 40}, tests::all_layouts().front(), 0, DataType::f32));
  const double first = result.get(0, 3, 0);
  const double second = result.get(0, 3, 1);
  ASSERT_NE(first, second);
  result.set(0, 3, 0, second);
  result.set(0, 3, 1, first);
  EXPECT_EQ(doubtful(result), Rows{3});
  result.set(0, 3, 0, first);
  result.set(0, 3, 1, second);
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 0.5}) {
    result.set(0, 4, 5, value);
    EXPECT_EQ(doubtful(result), Rows{4}) << value;
  }
}

TEST(Identity, VouchesForNoIntegerThatHalfsMayHaveRounded) {
  auto result = right(tests::make_problem({5, 6, 40}, tests::all_layouts().front(), 0, DataType::f16));
  ASSERT_EQ(doubtful(result), Rows());
  for (const double value : {2048.0, -2048.0, 30000.0}) {
    result.set(0, 1, 2, value);
    EXPECT_EQ(doubtful(result), Rows{1}) << value;
  }
}

TEST(Identity, SaysNothingOfMoreThanAProduct) {
  auto problem = tests::make_problem({2, 2, 2}, tests::all_layouts().front(), 0, DataType::f32);
  problem.alpha = 2;
  EXPECT_FALSE(has_identity(problem));
  problem.alpha = 1;
  problem.epilogue.activation = Activation::relu;
  EXPECT_FALSE(has_identity(problem));
}

}  // namespace
}  // namespace wgemm::verify
