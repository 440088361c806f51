// The reference product in float64: a triple loop that shares nothing with any kernel or BLAS.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/checking/matrix_view.hpp"

namespace wgemm::checking {

/// Some rows of C = A B and of |A||B|, which the error bound scales with; both rows.size() x n, row-major.
struct Product {
  std::vector<double> value;
  std::vector<double> magnitude;
};

/// Sums run over ascending k. `rows` are indices of rows of A, in the order of the result.
template <typename A, typename B>
Product multiply_rows(const MatrixView<A>& a, const MatrixView<B>& b, std::span<const std::uint64_t> rows) {
  const auto n = b.cols;
  Product product{std::vector<double>(rows.size() * n, 0.0), std::vector<double>(rows.size() * n, 0.0)};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::uint64_t k = 0; k < a.cols; ++k) {
      const double left = a(rows[r], k);
      for (std::uint64_t col = 0; col < n; ++col) {
        const double term = left * b(k, col);
        product.value[r * n + col] += term;
        product.magnitude[r * n + col] += std::abs(term);
      }
    }
  }
  return product;
}

}  // namespace wgemm::checking
