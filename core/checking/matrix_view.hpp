// A matrix in host memory, as a problem describes it: any order, leading dimension and element type.
#pragma once

#include <cstdint>

#include "wgemm/problem.hpp"

namespace wgemm::checking {

/// `Element` is anything that converts to double: float, a library's half type, …
template <typename Element>
struct MatrixView {
  const Element* elements = nullptr;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  Order order = Order::row_major;
  std::uint64_t ld = 0;  ///< elements, never 0

  MatrixView(const Element* first, const MatrixLayout& layout, std::uint64_t row_count,
             std::uint64_t col_count)
      : elements(first),
        rows(row_count),
        cols(col_count),
        order(layout.order),
        ld(leading_dimension(layout, row_count, col_count)) {}

  [[nodiscard]] std::uint64_t index(std::uint64_t row, std::uint64_t col) const {
    return order == Order::row_major ? row * ld + col : col * ld + row;
  }
  [[nodiscard]] double operator()(std::uint64_t row, std::uint64_t col) const {
    return static_cast<double>(elements[index(row, col)]);
  }
};

}  // namespace wgemm::checking
