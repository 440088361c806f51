// What is to be multiplied: C <- act(alpha op(A) op(B) + beta C + bias) + residual, once or for a batch of
// matrices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wgemm/error.hpp"

namespace wgemm {

/// Types of stored elements. i4 and u4 are quantised weights only (see Quantization): two in a byte, the
/// first in its lower half.
enum class DataType : std::uint8_t { f32, f16, i32, i8, u8, i4, u4 };

/// What products are summed in. standard: f32 for floating-point operands, f16 ones too; i32 (modulo 2^32)
/// for integers. f16: of f16 operands only, faster where a device has it, with the range and the rounding of
/// f16; parts into which k is cut are still added in f32.
enum class Accumulate : std::uint8_t { standard, f16 };

/// Which index runs through consecutive elements: the column (row_major, C order) or the row (col_major,
/// Fortran order).
enum class Order : std::uint8_t { row_major, col_major };

/// BLAS: op(A) is A or its transpose. A transposed operand is stored with its sizes exchanged: A as k x m, B
/// as n x k.
enum class Transpose : std::uint8_t { none, transpose };

std::string_view to_string(DataType type);
std::string_view to_string(Order order);

std::string_view to_string(Accumulate accumulate);

/// Bits of one element.
std::uint32_t bits_of(DataType type);

/// Bytes of that many elements next to each other, rounded up to whole ones.
std::uint64_t size_of(DataType type, std::uint64_t elements = 1);

/// f32, f16: what scales, biases and residuals can be.
bool is_floating(DataType type);

/// i8, u8: integers that are multiplied as they are.
bool is_byte(DataType type);

struct MatrixLayout {
  DataType type = DataType::f32;
  Order order = Order::row_major;
  /// Leading dimension (BLAS: lda, ldb, ldc), in elements: the distance between the starts of two rows
  /// (row_major) or two columns (col_major) of the stored matrix. 0 means tight: the number of its columns or
  /// of its rows.
  std::uint64_t ld = 0;
  /// Elements of the buffer in front of the matrix (of the first one of a batch).
  std::uint64_t offset = 0;
  bool operator==(const MatrixLayout&) const = default;
};

constexpr std::size_t kMaxBatchRank = 4;

/// Where the matrices of one product start, in elements behind the offset of each layout.
struct BatchOffsets {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
  std::uint64_t residual = 0;
  bool operator==(const BatchOffsets&) const = default;
};

/// A batch of products of one shape. Product (i0, i1, ...) with i_d < extents[d] takes its matrices at
/// element offset + i0 * strides[0] + i1 * strides[1] + ... of each buffer; a stride of 0 gives all of them
/// the same matrix (broadcast). C must not be broadcast. Or, with rank 0, product i takes them where table[i]
/// says; no two C may overlap.
struct Batch {
  std::uint32_t rank = 0;  ///< dimensions in use, at most kMaxBatchRank; 0: a single product
  std::array<std::uint64_t, kMaxBatchRank> extents{};
  std::array<std::uint64_t, kMaxBatchRank> a{};  ///< strides in elements
  std::array<std::uint64_t, kMaxBatchRank> b{};
  std::array<std::uint64_t, kMaxBatchRank> c{};
  std::array<std::uint64_t, kMaxBatchRank> residual{};
  std::vector<BatchOffsets> table;  ///< of rank 0 only; empty: strides say where the matrices are

  /// Number of products; 1 for rank 0 without a table.
  [[nodiscard]] std::uint64_t count() const;
  bool operator==(const Batch&) const = default;
};

/// A vector added before the activation: one element for each row of C (m of them) or for each column (n).
enum class Bias : std::uint8_t { none, per_row, per_column };

/// relu: max(x, 0). gelu: x/2 (1 + erf(x / sqrt 2)). gelu_tanh: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
/// (Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016). silu: x / (1 + exp(-x)). clamp: to [lower,
/// upper].
enum class Activation : std::uint8_t { none, relu, gelu, gelu_tanh, silu, clamp };

std::string_view to_string(Bias bias);
std::string_view to_string(Activation activation);

struct Epilogue {
  Bias bias = Bias::none;
  DataType bias_type = DataType::f32;
  Activation activation = Activation::none;
  float lower = 0;  ///< of clamp
  float upper = 0;
  /// Adds a matrix of C's shape after the activation. A residual that is C itself is beta = 1 instead.
  bool add_residual = false;
  MatrixLayout residual;

  [[nodiscard]] bool empty() const;
  bool operator==(const Epilogue&) const = default;
};

/// Integers with scales for B, in the layout of ONNX's MatMulNBits operator (contrib operators of ONNX
/// Runtime):
///   op(B)(kk, col) = scale(col, kk / block) * (b(kk, col) - zero(col, kk / block))
/// B is stored by columns of op(B) (n x k, row-major, transposed; or k x n, col_major), each of whole blocks:
/// its leading dimension is a multiple of `block`, and tight is k rounded up to one. Scales are a tight n x
/// blocks matrix, blocks = ceil(k / block), in a buffer of their own; so are zero points, of B's type, u4 and
/// i4 with each row rounded up to whole bytes. Without zero points the zero is 0 for i8 and i4, 128 for u8
/// and 8 for u4. A batch shares one B.
struct Quantization {
  std::uint32_t block =
      0;  ///< elements along k with one scale: a power of two from 16 to 1024; 0: B is not quantised
  DataType scale_type = DataType::f32;  ///< f32 or f16
  bool zeros = false;                   ///< there are zero points
  bool operator==(const Quantization&) const = default;
};

/// Types that can be multiplied: f32 x f32; f16 x f16; i8 or u8 x i8 or u8, into a C of i32 (modulo 2^32;
/// alpha 1, beta 0 or 1, no epilogue) or of f32 or f16 (the sum is converted, then alpha, beta and the
/// epilogue as for the others); f32 or f16 x quantised i4, u4, i8 or u8. C is f32 or f16 otherwise.
struct Problem {
  std::uint64_t m = 0;  ///< rows of op(A) and C
  std::uint64_t n = 0;  ///< columns of op(B) and C
  std::uint64_t k = 0;  ///< columns of op(A), rows of op(B)
  MatrixLayout a;
  MatrixLayout b;
  MatrixLayout c;
  Transpose trans_a = Transpose::none;
  Transpose trans_b = Transpose::none;
  Quantization quantization;  ///< of B
  Accumulate accumulate = Accumulate::standard;
  float alpha = 1;
  float beta = 0;  ///< with beta = 0 the old C is not read: NaN in it does not matter
  Batch batch;
  Epilogue epilogue;

  /// Floating-point operations of the products: 2 m n k for each.
  [[nodiscard]] double flops() const;
  bool operator==(const Problem&) const = default;
};

/// The matrices of a problem as they are stored.
enum class Matrix : std::uint8_t { a, b, c, residual };

struct Shape {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
};

/// Rows and columns of a matrix as it is stored: of A, not of op(A).
Shape stored_shape(const Problem& problem, Matrix matrix);
const MatrixLayout& layout_of(const Problem& problem, Matrix matrix);
/// Distances between its matrices along each dimension of the batch, in elements.
const std::array<std::uint64_t, kMaxBatchRank>& strides_of(const Batch& batch, Matrix matrix);
std::array<std::uint64_t, kMaxBatchRank>& strides_of(Batch& batch, Matrix matrix);
/// Whether the operand is stored as the transposed matrix.
bool is_transposed(const Problem& problem, Matrix matrix);

/// Leading dimension in force for a stored matrix of `rows` x `cols`: layout.ld, or the tight one where that
/// is 0.
std::uint64_t leading_dimension(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols);

/// Bytes from the start of the buffer to behind the last element of a matrix of `rows` x `cols`.
std::uint64_t size_in_bytes(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols);

/// Bytes that the buffer of a matrix must have at least, batch and offset included; 0 where no element is
/// touched.
std::uint64_t buffer_bytes(const Problem& problem, Matrix matrix);

/// Element of the buffer at which the matrix of a product of the batch starts, layout.offset included.
std::uint64_t first_element(const Problem& problem, Matrix matrix, std::uint64_t product);

/// Leading dimension in force for a matrix of the problem: as the other of that name, and for a quantised B
/// the tight one is of whole blocks.
std::uint64_t leading_dimension(const Problem& problem, Matrix matrix);

/// Blocks of each column of a quantised B; 0 where B is not quantised.
std::uint64_t quantization_blocks(const Problem& problem);

/// Bytes of the scales and of the zero points; 0 where there are none.
std::uint64_t scales_bytes(const Problem& problem);
std::uint64_t zeros_bytes(const Problem& problem);

/// Elements of the bias vector; 0 without one.
std::uint64_t bias_length(const Problem& problem);

/// Checks what is wrong on every device: a leading dimension shorter than a row, sizes that do not fit 32
/// bits, element indices beyond 2^60, a C that is broadcast over its batch, bounds of clamp that are no
/// interval, a type that is not implemented for its operand. Sizes of 0 are right: with m, n or the batch 0
/// nothing is done, with k = 0 the product is a zero matrix. Errors name the argument: "m", "lda", "b.type",
/// ...
Result<void> validate(const Problem& problem);

/// "256x128x64 f32 rrc": sizes, types where they are not all f32, and the orders of A, B and C; behind them
/// what else the problem has (trans, batch, alpha, beta, bias, activation, residual).
std::string describe(const Problem& problem);

}  // namespace wgemm
