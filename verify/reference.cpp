#include "verify/reference.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "verify/elements.hpp"
#include "verify/source.hpp"

namespace wgemm::verify {
namespace {

constexpr std::uint64_t kPanel = 512;  ///< k at a time: bounds the memory of the float64 copies

/// Rows of op(A), columns begin … end.
std::vector<double> copy_rows(const Source& a, std::span<const std::uint64_t> rows, std::uint64_t begin,
                              std::uint64_t end) {
  const auto cols = end - begin;
  std::vector<double> panel(rows.size() * cols);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    a.read_row(rows[r], begin, std::span(panel).subspan(r * cols, cols));
  }
  return panel;
}

/// Rows begin … end of op(B), row-major. Read in the order of memory.
std::vector<double> copy_panel(const Source& b, std::uint64_t n, std::uint64_t begin, std::uint64_t end) {
  const auto depth = end - begin;
  std::vector<double> panel(depth * n);
  if (b.rows_are_lines()) {
    for (auto k = begin; k < end; ++k) b.read_row(k, 0, std::span(panel).subspan((k - begin) * n, n));
    return panel;
  }
  std::vector<double> line(depth);
  for (std::uint64_t col = 0; col < n; ++col) {
    b.read_col(col, begin, line);
    for (std::uint64_t k = 0; k < depth; ++k) panel[k * n + col] = line[k];
  }
  return panel;
}

void absolute(std::vector<double>& values) {
  for (auto& value : values) value = std::abs(value);
}

/// c += left * right
void accumulate(std::vector<double>& c, const std::vector<double>& left, const std::vector<double>& right,
                std::uint64_t n, std::uint64_t depth) {
  const auto cols = static_cast<blasint>(n);
  const auto k = static_cast<blasint>(depth);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<blasint>(c.size() / n), cols, k, 1.0,
              left.data(), k, right.data(), cols, 1.0, c.data(), cols);
}

/// The largest absolute value of a type's elements in memory; gaps count only where they are numbers.
double largest_element(DataType type, std::span<const std::byte> memory) {
  if (bits_of(type) < 8) return 16;
  if (bits_of(type) == 8) return 256;
  std::vector<double> values(memory.size() / size_of(type));
  read_elements(type, memory, 0, 1, values);
  double largest = 0;
  for (const double value : values) {
    if (std::abs(value) > largest) largest = std::abs(value);
  }
  return largest;
}

}  // namespace

Product reference_rows(const HostProblem& given, std::uint64_t product, std::span<const std::uint64_t> rows,
                       Magnitude magnitude) {
  const auto& problem = given.problem;
  const bool with_magnitude = magnitude == Magnitude::compute;
  const auto elements = rows.size() * problem.n;
  Product result{std::vector<double>(elements), std::vector<double>(with_magnitude ? elements : 0)};
  if (elements == 0 || problem.k == 0) return result;
  const Source a(given, Matrix::a, product);
  const Source b(given, Matrix::b, product);
  for (std::uint64_t begin = 0; begin < problem.k; begin += kPanel) {
    const auto end = std::min(problem.k, begin + kPanel);
    auto left = copy_rows(a, rows, begin, end);
    auto right = copy_panel(b, problem.n, begin, end);
    accumulate(result.value, left, right, problem.n, end - begin);
    if (!with_magnitude) continue;
    absolute(left);
    absolute(right);
    accumulate(result.magnitude, left, right, problem.n, end - begin);
  }
  return result;
}

double largest_magnitude(const HostProblem& given) {
  const auto& problem = given.problem;
  if (problem.k == 0) return 0;
  double terms = static_cast<double>(problem.k) * largest_element(problem.a.type, given[BufferRole::a]) *
                 largest_element(problem.b.type, given[BufferRole::b]);
  if (problem.quantization.block != 0) {
    terms *= largest_element(problem.quantization.scale_type, given[BufferRole::scales]);
  }
  return terms;
}

}  // namespace wgemm::verify
