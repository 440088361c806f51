#include "core/streaming/parts.hpp"

#include <utility>

#include "core/round_up.hpp"

namespace wgemm {

namespace {

/// First row and column of op(matrix) in the panel.
Shape first_of(const Panel& panel, Matrix matrix) {
  switch (matrix) {
    case Matrix::a:
      return {panel.row0, panel.k0};
    case Matrix::b:
      return {panel.k0, panel.col0};
    case Matrix::c:
    case Matrix::residual:
      return {panel.row0, panel.col0};
  }
  return {};
}

/// Adds a matrix behind those that are there already; to the last copy, where it goes on in step.
void add_matrix(std::vector<StridedCopy>& copies, const StridedCopy& matrix) {
  if (!copies.empty()) {
    StridedCopy& last = copies.back();
    const bool ahead = matrix.caller.start >= last.caller.start;
    if (last.matrices == 1 && ahead) last.caller.matrix = matrix.caller.start - last.caller.start;
    if (ahead && matrix.caller.start == last.caller.start + last.matrices * last.caller.matrix) {
      ++last.matrices;
      return;
    }
  }
  copies.push_back(matrix);
}

/// `problem` is the panel's own.
std::vector<StridedCopy> copies_of(const Problem& whole, const Problem& problem, const Panel& panel,
                                   Matrix matrix) {
  const bool by_row = layout_of(whole, matrix).order == Order::row_major;
  Shape first = first_of(panel, matrix);
  if (is_transposed(whole, matrix)) std::swap(first.rows, first.cols);
  const Shape shape = stored_shape(problem, matrix);
  StridedCopy copy;
  copy.lines = by_row ? shape.rows : shape.cols;
  copy.length = by_row ? shape.cols : shape.rows;
  if (matrix == Matrix::b && whole.quantization.block != 0) {
    copy.length = quantization_blocks(problem) * whole.quantization.block;
  }
  copy.caller.line = leading_dimension(whole, matrix);
  copy.panel.line = leading_dimension(problem, matrix);
  copy.panel.matrix = problem.batch.rank == 0 ? 0 : strides_of(problem.batch, matrix)[0];
  const std::uint64_t inside =
      by_row ? first.rows * copy.caller.line + first.cols : first.cols * copy.caller.line + first.rows;
  const std::uint64_t matrices = copy.panel.matrix == 0 ? 1 : panel.batch;  // one where all share it
  std::vector<StridedCopy> copies;
  for (std::uint64_t product = 0; product < matrices; ++product) {
    copy.caller.start = first_element(whole, matrix, panel.batch0 + product) + inside;
    copy.panel.start = product * copy.panel.matrix;
    add_matrix(copies, copy);
  }
  return copies;
}

/// Columns `panel.cols` of a tight matrix with a row for each column of op(B): scales, zero points.
StridedCopy copy_of_rows(const Panel& panel, std::uint64_t first, std::uint64_t length, std::uint64_t row,
                         std::uint64_t panel_row) {
  return {.length = length,
          .lines = panel.cols,
          .caller = {.start = panel.col0 * row + first, .line = row},
          .panel = {.start = 0, .line = panel_row}};
}

}  // namespace

Part part_of(const Problem& whole, const Panel& panel, DataType c_type, BufferRole role) {
  Panel with_epilogue = panel;
  with_epilogue.last_k = true;
  const Problem problem = panel_problem(whole, with_epilogue, c_type);
  const auto of_matrix = [&](Matrix matrix) -> Part {
    Part part{role,
              layout_of(whole, matrix).type,
              layout_of(problem, matrix).type,
              buffer_bytes(problem, matrix),
              {}};
    if (part.bytes != 0) part.copies = copies_of(whole, problem, panel, matrix);
    return part;
  };
  const auto of_vectors = [&](DataType type, std::uint64_t bytes, const StridedCopy& copy) -> Part {
    if (bytes == 0) return {role, type, type, 0, {}};
    return {role, type, type, bytes, {copy}};
  };
  const std::uint64_t blocks = quantization_blocks(problem);
  const std::uint64_t all_blocks = quantization_blocks(whole);
  const std::uint64_t block0 = blocks == 0 ? 0 : panel.k0 / whole.quantization.block;
  switch (role) {
    case BufferRole::a:
      return of_matrix(Matrix::a);
    case BufferRole::b:
      return of_matrix(Matrix::b);
    case BufferRole::c:
      return of_matrix(Matrix::c);
    case BufferRole::residual:
      return of_matrix(Matrix::residual);
    case BufferRole::bias: {
      const std::uint64_t length = bias_length(problem);
      const std::uint64_t first = whole.epilogue.bias == Bias::per_row ? panel.row0 : panel.col0;
      return of_vectors(whole.epilogue.bias_type, size_of(whole.epilogue.bias_type, length),
                        {.length = length, .lines = 1, .caller = {.start = first}});
    }
    case BufferRole::scales:
      return of_vectors(whole.quantization.scale_type, scales_bytes(problem),
                        copy_of_rows(panel, block0, blocks, all_blocks, blocks));
    case BufferRole::zeros: {
      // Rows of whole bytes; panels start at an even block, for two zero points of 4 bits share a byte.
      const std::uint64_t unit = bits_of(whole.b.type) == 4 ? 2 : 1;
      return of_vectors(
          whole.b.type, zeros_bytes(problem),
          copy_of_rows(panel, block0, blocks, round_up(all_blocks, unit), round_up(blocks, unit)));
    }
    case BufferRole::constant:
    case BufferRole::scratch:
      break;
  }
  return {};
}

}  // namespace wgemm
