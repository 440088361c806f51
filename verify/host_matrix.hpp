// One matrix in host memory, as a file holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/half.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::verify {

struct HostMatrix {
  MatrixLayout layout;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::vector<std::byte> bytes;  ///< the matrix from the first byte on, gaps included

  /// Elements that lie next to each other: rows of a row-major matrix, columns of a column-major one.
  [[nodiscard]] std::uint64_t lines() const { return layout.order == Order::row_major ? rows : cols; }
  [[nodiscard]] std::uint64_t line_length() const { return layout.order == Order::row_major ? cols : rows; }
  [[nodiscard]] std::uint64_t ld() const { return leading_dimension(layout, rows, cols); }

  template <typename Element>
  [[nodiscard]] const Element* elements() const {
    return reinterpret_cast<const Element*>(bytes.data());
  }
  template <typename Element>
  [[nodiscard]] Element* elements() {
    return reinterpret_cast<Element*>(bytes.data());
  }
};

}  // namespace wgemm::verify
