// A matrix in host memory with what stands around it: the gaps between its lines and a margin behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/checking/matrix_view.hpp"
#include "verify/half.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::verify {

struct HostMatrix {
  MatrixLayout layout;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::vector<std::byte> bytes;  ///< the matrix from the first byte on, gaps included, then the margin

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
  template <typename Element>
  [[nodiscard]] checking::MatrixView<Element> view() const {
    return {elements<Element>(), layout, rows, cols};
  }
};

/// Bytes of the margin behind an operand, and of the guard behind C.
constexpr std::uint64_t kMarginBytes = 1024;

/// Bytes of a matrix of `bytes` with its margin, which shrinks where the whole would exceed `largest`.
std::uint64_t with_margin(std::uint64_t bytes, std::uint64_t largest);

/// Bytes of the largest operand that the device can hold and bind.
std::uint64_t largest_operand(const Limits& limits);

/// Quiet NaNs that no computation makes by itself: what C is filled with before a run, and what stands in
/// gaps and margins of all three matrices.
constexpr std::uint32_t kPoisonF32 = 0x7fdecade;
constexpr std::uint16_t kPoisonF16 = 0x7ede;

/// A matrix whose elements, gaps and margin are all poison, of at most `largest_bytes` where its elements
/// fit.
HostMatrix make_poisoned(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols,
                         std::uint64_t largest_bytes);

}  // namespace wgemm::verify
