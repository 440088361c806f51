#include "wgemm/problem.hpp"

#include <algorithm>
#include <utility>

namespace wgemm {

std::uint32_t bits_of(DataType type) {
  switch (type) {
    case DataType::f32:
    case DataType::i32:
      return 32;
    case DataType::f16:
      return 16;
    case DataType::i8:
    case DataType::u8:
      return 8;
    case DataType::i4:
    case DataType::u4:
      return 4;
  }
  return 32;
}

std::uint64_t size_of(DataType type, std::uint64_t elements) { return (elements * bits_of(type) + 7) / 8; }

bool is_floating(DataType type) { return type == DataType::f32 || type == DataType::f16; }

bool is_byte(DataType type) { return type == DataType::i8 || type == DataType::u8; }

std::uint64_t Batch::count() const {
  if (!table.empty()) return table.size();
  std::uint64_t product = 1;
  for (std::uint32_t d = 0; d < rank; ++d) product *= extents.at(d);
  return product;
}

bool Epilogue::empty() const { return bias == Bias::none && activation == Activation::none && !add_residual; }

double Problem::flops() const {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
         static_cast<double>(batch.count());
}

Shape stored_shape(const Problem& problem, Matrix matrix) {
  Shape shape{problem.m, problem.n};
  if (matrix == Matrix::a) shape = {problem.m, problem.k};
  if (matrix == Matrix::b) shape = {problem.k, problem.n};
  if (is_transposed(problem, matrix)) std::swap(shape.rows, shape.cols);
  return shape;
}

const MatrixLayout& layout_of(const Problem& problem, Matrix matrix) {
  switch (matrix) {
    case Matrix::a:
      return problem.a;
    case Matrix::b:
      return problem.b;
    case Matrix::c:
      return problem.c;
    case Matrix::residual:
      return problem.epilogue.residual;
  }
  return problem.c;
}

std::uint64_t leading_dimension(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols) {
  if (layout.ld != 0) return layout.ld;
  return layout.order == Order::row_major ? cols : rows;
}

bool is_transposed(const Problem& problem, Matrix matrix) {
  return (matrix == Matrix::a && problem.trans_a == Transpose::transpose) ||
         (matrix == Matrix::b && problem.trans_b == Transpose::transpose);
}

const std::array<std::uint64_t, kMaxBatchRank>& strides_of(const Batch& batch, Matrix matrix) {
  switch (matrix) {
    case Matrix::a:
      return batch.a;
    case Matrix::b:
      return batch.b;
    case Matrix::c:
      return batch.c;
    case Matrix::residual:
      return batch.residual;
  }
  return batch.c;
}

std::array<std::uint64_t, kMaxBatchRank>& strides_of(Batch& batch, Matrix matrix) {
  // The same selection, of a batch that is known to be writable.
  return const_cast<std::array<std::uint64_t, kMaxBatchRank>&>(strides_of(std::as_const(batch), matrix));
}

std::uint64_t size_in_bytes(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols) {
  if (rows == 0 || cols == 0) return 0;
  const bool by_row = layout.order == Order::row_major;
  const auto lines = by_row ? rows : cols;
  const auto length = by_row ? cols : rows;
  return size_of(layout.type, layout.offset + (lines - 1) * leading_dimension(layout, rows, cols) + length);
}

std::uint64_t leading_dimension(const Problem& problem, Matrix matrix) {
  const auto& layout = layout_of(problem, matrix);
  if (matrix == Matrix::b && layout.ld == 0 && problem.quantization.block != 0) {
    return quantization_blocks(problem) * problem.quantization.block;
  }
  const auto shape = stored_shape(problem, matrix);
  return leading_dimension(layout, shape.rows, shape.cols);
}

std::uint64_t buffer_bytes(const Problem& problem, Matrix matrix) {
  if (matrix == Matrix::residual && !problem.epilogue.add_residual) return 0;
  if (problem.m == 0 || problem.n == 0 || problem.batch.count() == 0) return 0;
  const auto shape = stored_shape(problem, matrix);
  const auto& layout = layout_of(problem, matrix);
  const bool by_row = layout.order == Order::row_major;
  const auto lines = by_row ? shape.rows : shape.cols;
  auto length = by_row ? shape.cols : shape.rows;
  if (lines == 0 || length == 0) return 0;
  if (matrix == Matrix::b && problem.quantization.block != 0) {  // whole blocks, in the last column too
    length = quantization_blocks(problem) * problem.quantization.block;
  }
  std::uint64_t last = 0;  // of the first elements
  if (problem.batch.table.empty()) {
    last = first_element(problem, matrix, problem.batch.count() - 1);
  } else {
    for (std::uint64_t i = 0; i < problem.batch.count(); ++i) {
      last = std::max(last, first_element(problem, matrix, i));
    }
  }
  return size_of(layout.type, last + (lines - 1) * leading_dimension(problem, matrix) + length);
}

std::uint64_t first_element(const Problem& problem, Matrix matrix, std::uint64_t product) {
  auto element = layout_of(problem, matrix).offset;
  const auto& batch = problem.batch;
  if (!batch.table.empty()) {
    const auto& entry = batch.table.at(product);
    switch (matrix) {
      case Matrix::a:
        return element + entry.a;
      case Matrix::b:
        return element + entry.b;
      case Matrix::c:
        return element + entry.c;
      case Matrix::residual:
        return element + entry.residual;
    }
  }
  const auto& strides = strides_of(batch, matrix);
  for (auto d = batch.rank; d-- > 0;) {  // the last dimension runs fastest
    element += product % batch.extents.at(d) * strides.at(d);
    product /= batch.extents.at(d);
  }
  return element;
}

std::uint64_t quantization_blocks(const Problem& problem) {
  const std::uint64_t block = problem.quantization.block;
  return block == 0 ? 0 : (problem.k + block - 1) / block;
}

std::uint64_t scales_bytes(const Problem& problem) {
  return size_of(problem.quantization.scale_type, problem.n * quantization_blocks(problem));
}

std::uint64_t zeros_bytes(const Problem& problem) {
  return problem.quantization.zeros ? problem.n * size_of(problem.b.type, quantization_blocks(problem)) : 0;
}

std::uint64_t bias_length(const Problem& problem) {
  if (problem.epilogue.bias == Bias::none) return 0;
  return problem.epilogue.bias == Bias::per_row ? problem.m : problem.n;
}

}  // namespace wgemm
