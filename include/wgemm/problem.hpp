// What is to be multiplied: C <- A * B with A of m x k, B of k x n and C of m x n elements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wgemm/error.hpp"

namespace wgemm {

/// Types of stored elements. Products of f16 operands are accumulated in f32.
enum class DataType : std::uint8_t { f32, f16 };

/// Which index runs through consecutive elements: the column (row_major, C order) or the row (col_major,
/// Fortran order). op(A) = A^T on a row-major matrix is the same bytes as A on a column-major one.
enum class Order : std::uint8_t { row_major, col_major };

std::string_view to_string(DataType type);
std::string_view to_string(Order order);

/// Bytes of one element.
std::uint64_t size_of(DataType type);

struct MatrixLayout {
  DataType type = DataType::f32;
  Order order = Order::row_major;
  /// Leading dimension (BLAS: lda, ldb, ldc), in elements: the distance between the starts of two rows
  /// (row_major) or two columns (col_major). 0 means tight: the number of columns or of rows.
  std::uint64_t ld = 0;
};

struct Problem {
  std::uint64_t m = 0;  ///< rows of A and C
  std::uint64_t n = 0;  ///< columns of B and C
  std::uint64_t k = 0;  ///< columns of A, rows of B
  MatrixLayout a;
  MatrixLayout b;
  MatrixLayout c;

  /// Floating-point operations of the product: 2 m n k.
  [[nodiscard]] double flops() const;
};

/// Leading dimension in force for a matrix of `rows` x `cols`: layout.ld, or the tight one where that is 0.
std::uint64_t leading_dimension(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols);

/// Bytes from the first to behind the last element of a matrix of `rows` x `cols`.
std::uint64_t size_in_bytes(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols);

/// Checks what is wrong on every device: a size of 0, a leading dimension shorter than a row, element indices
/// that do not fit 32 bits, a type that is not implemented for its operand. Errors name the argument: "m",
/// "lda", "c.type", …
Result<void> validate(const Problem& problem);

/// "256x128x64 f32 rrc": sizes, types where they are not all f32, and the orders of A, B and C.
std::string describe(const Problem& problem);

}  // namespace wgemm
