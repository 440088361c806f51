#include "verify/reference.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace wgemm::verify {
namespace {

/// k per dgemm: keeps the float64 copies of the operands small however large the operands are.
constexpr std::uint64_t kPanel = 512;

/// A float64 copy of part of a matrix, row-major.
struct Panel {
  std::uint64_t cols = 0;
  std::vector<double> values;
};

/// Rows rows[0], rows[1], … and columns begin … end of A.
template <typename Element>
void copy_rows(Panel& panel, const checking::MatrixView<Element>& a, std::span<const std::uint64_t> rows,
               std::uint64_t begin, std::uint64_t end) {
  panel.cols = end - begin;
  panel.values.resize(rows.size() * panel.cols);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (auto k = begin; k < end; ++k) panel.values[r * panel.cols + (k - begin)] = a(rows[r], k);
  }
}

/// Rows begin … end of B; columns of a column-major B are read one after the other.
template <typename Element>
void copy_panel(Panel& panel, const checking::MatrixView<Element>& b, std::uint64_t begin,
                std::uint64_t end) {
  panel.cols = b.cols;
  panel.values.resize((end - begin) * b.cols);
  if (b.order == Order::row_major) {
    for (auto k = begin; k < end; ++k) {
      for (std::uint64_t col = 0; col < b.cols; ++col) panel.values[(k - begin) * b.cols + col] = b(k, col);
    }
  } else {
    for (std::uint64_t col = 0; col < b.cols; ++col) {
      for (auto k = begin; k < end; ++k) panel.values[(k - begin) * b.cols + col] = b(k, col);
    }
  }
}

void absolute(Panel& panel) {
  for (auto& value : panel.values) value = std::abs(value);
}

/// c += left * right
void accumulate(std::vector<double>& c, const Panel& left, const Panel& right, std::uint64_t rows) {
  const auto m = static_cast<blasint>(rows);
  const auto n = static_cast<blasint>(right.cols);
  const auto k = static_cast<blasint>(left.cols);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0, left.values.data(), k,
              right.values.data(), n, 1.0, c.data(), n);
}

template <typename Element>
checking::Product multiply(const checking::MatrixView<Element>& a, const checking::MatrixView<Element>& b,
                           std::span<const std::uint64_t> rows, Magnitude magnitude) {
  const bool with_magnitude = magnitude == Magnitude::compute;
  checking::Product product{std::vector<double>(rows.size() * b.cols),
                            std::vector<double>(with_magnitude ? rows.size() * b.cols : 0)};
  Panel left;
  Panel right;
  for (std::uint64_t begin = 0; begin < a.cols; begin += kPanel) {
    const auto end = std::min(a.cols, begin + kPanel);
    copy_rows(left, a, rows, begin, end);
    copy_panel(right, b, begin, end);
    accumulate(product.value, left, right, rows.size());
    if (!with_magnitude) continue;
    absolute(left);
    absolute(right);
    accumulate(product.magnitude, left, right, rows.size());
  }
  return product;
}

}  // namespace

checking::Product reference_rows(const HostMatrix& a, const HostMatrix& b,
                                 std::span<const std::uint64_t> rows, Magnitude magnitude) {
  return a.layout.type == DataType::f32 ? multiply(a.view<float>(), b.view<float>(), rows, magnitude)
                                        : multiply(a.view<Half>(), b.view<Half>(), rows, magnitude);
}

}  // namespace wgemm::verify
