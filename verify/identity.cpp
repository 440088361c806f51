#include "verify/identity.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/checking/error_bound.hpp"
#include "verify/elements.hpp"
#include "verify/source.hpp"

namespace wgemm::verify {
namespace {

std::uint64_t residue(double value) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)); }

std::uint64_t dot(std::span<const double> line, const Residues& x) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < line.size(); ++i) sum += residue(line[i]) * x[i];
  return sum;
}

Residues random_vector(std::uint64_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Residues x(size);
  for (auto& value : x) value = random();
  return x;
}

/// matrix x, for a matrix of `rows` x `cols`.
Residues times(const Source& matrix, std::uint64_t rows, std::uint64_t cols, const Residues& x) {
  Residues y(rows);
  std::vector<double> line(matrix.rows_are_lines() ? cols : rows);
  if (matrix.rows_are_lines()) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      matrix.read_row(row, 0, line);
      y[row] = dot(line, x);
    }
    return y;
  }
  for (std::uint64_t col = 0; col < cols; ++col) {
    matrix.read_col(col, 0, line);
    for (std::uint64_t row = 0; row < rows; ++row) y[row] += residue(line[row]) * x[col];
  }
  return y;
}

/// Whether all of a row of C are integers that its type does not round.
bool is_exact(std::span<const double> row, double largest) {
  // Written so that NaN is no integer.
  return std::ranges::all_of(
      row, [&](double value) { return std::abs(value) < largest && value == std::trunc(value); });
}

}  // namespace

bool has_identity(const Problem& problem) {
  return problem.alpha == 1 && problem.beta == 0 && problem.epilogue.empty();
}

Identity make_identity(const HostProblem& given, std::uint64_t seed) {
  const auto& problem = given.problem;
  Identity identity{random_vector(problem.n, seed), {}};
  for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
    const auto b_x = times(Source(given, Matrix::b, product), problem.k, problem.n, identity.x);
    identity.right.push_back(times(Source(given, Matrix::a, product), problem.m, problem.k, b_x));
  }
  return identity;
}

std::vector<std::uint64_t> find_doubtful_rows(const HostProblem& given, const Identity& identity,
                                              std::span<const std::byte> c_after) {
  const auto& problem = given.problem;
  const auto& layout = problem.c;
  const auto ld = leading_dimension(problem, Matrix::c);
  const bool by_row = layout.order == Order::row_major;
  const double largest = checking::largest_exact_integer(layout.type);
  std::vector<double> row(problem.n);
  std::vector<bool> doubtful(problem.m);
  for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
    const auto start = first_element(problem, Matrix::c, product);
    for (std::uint64_t i = 0; i < problem.m; ++i) {
      read_elements(layout.type, c_after, start + i * (by_row ? ld : 1), by_row ? 1 : ld, row);
      if (!is_exact(row, largest) || dot(row, identity.x) != identity.right[product][i]) doubtful[i] = true;
    }
  }
  std::vector<std::uint64_t> rows;
  for (std::uint64_t i = 0; i < problem.m; ++i) {
    if (doubtful[i]) rows.push_back(i);
  }
  return rows;
}

}  // namespace wgemm::verify
