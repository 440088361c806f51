#include "core/planning/operand.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace wgemm::planning {

BatchShape batch_shape(const Problem& problem) {
  const auto& batch = problem.batch;
  BatchShape shape;
  if (!batch.table.empty()) {
    shape.rank = 1;
    shape.extents[0] = batch.table.size();
    return shape;
  }
  shape.rank = batch.rank;
  std::copy_n(batch.extents.begin(), batch.rank, shape.extents.begin());
  return shape;
}

Operand make_operand(const Problem& problem, Matrix matrix, std::uint32_t buffer) {
  const auto& layout = layout_of(problem, matrix);
  const auto shape = stored_shape(problem, matrix);
  Operand operand{shape.rows,
                  shape.cols,
                  layout.type,
                  layout.order == Order::row_major,
                  leading_dimension(problem, matrix),
                  buffer,
                  layout.offset};
  const auto& strides = strides_of(problem.batch, matrix);
  std::copy_n(strides.begin(), problem.batch.rank, operand.strides.begin());
  if (!problem.batch.table.empty()) {
    constexpr std::array<std::uint64_t BatchOffsets::*, 4> kStarts{&BatchOffsets::a, &BatchOffsets::b,
                                                                   &BatchOffsets::c, &BatchOffsets::residual};
    const auto start = kStarts.at(static_cast<std::size_t>(matrix));
    const auto& table = problem.batch.table;
    if (std::ranges::count(table, table.front().*start, start) == std::ssize(table)) {
      operand.offset += table.front().*start;  // shared by all
    } else {
      operand.table_place = static_cast<std::uint32_t>(matrix) + 1;
      for (const auto& entry : table) operand.table_step = std::gcd(operand.table_step, entry.*start);
    }
  }
  if (const auto& quantization = problem.quantization; matrix == Matrix::b && quantization.block != 0) {
    auto& blocks = operand.blocks;
    blocks.size = quantization.block;
    const auto count = quantization_blocks(problem);
    blocks.scales = {quantization.scale_type, count};
    if (quantization.zeros)
      blocks.zeros = {layout.type, size_of(layout.type, count) * 8 / bits_of(layout.type)};
  }
  if (is_transposed(problem, matrix)) operand = transposed(operand);
  // A vector without gaps is both a row and a column: as a row-major row or a column-major column it can be
  // read in vectors.
  const bool row = operand.rows == 1 && !operand.row_major;
  const bool column = operand.cols == 1 && operand.row_major;
  if ((row || column) && operand.ld == 1) {
    operand.row_major = row;
    operand.ld = std::max(operand.rows, operand.cols);
  }
  return operand;
}

Operand tight_operand(std::uint64_t rows, std::uint64_t cols, DataType type, bool row_major,
                      std::uint32_t rank, const Extents& extents) {
  Operand operand{rows, cols, type, row_major, row_major ? cols : rows};
  auto stride = rows * cols;
  for (auto d = rank; d-- > 0;) {
    operand.strides.at(d) = stride;
    stride *= extents.at(d);
  }
  return operand;
}

Operand transposed(const Operand& operand) {
  auto result = operand;
  std::swap(result.rows, result.cols);
  result.row_major = !operand.row_major;
  return result;
}

std::uint64_t span(const Operand& operand) {
  const auto lines = operand.row_major ? operand.rows : operand.cols;
  auto length = operand.row_major ? operand.cols : operand.rows;
  if (operand.quantised())
    length = (length + operand.blocks.size - 1) / operand.blocks.size * operand.blocks.size;
  return lines == 0 || length == 0 ? 0 : (lines - 1) * operand.ld + length;
}

std::uint64_t span(const Operand& operand, const PerBlock& per_block) {
  const auto lines = operand.row_major ? operand.rows : operand.cols;
  const auto length = operand.row_major ? operand.cols : operand.rows;
  if (per_block.ld == 0 || lines == 0 || length == 0) return 0;
  return (lines - 1) * per_block.ld + (length + operand.blocks.size - 1) / operand.blocks.size;
}

std::uint64_t span(const Operand& operand, std::uint32_t rank, const Extents& extents) {
  auto elements = span(operand);
  if (elements == 0) return 0;
  for (std::uint32_t d = 0; d < rank; ++d) elements += (extents.at(d) - 1) * operand.strides.at(d);
  return elements;
}

Binding bind(std::uint32_t index, const Operand& operand, bool writable) {
  return {index, operand.buffer, writable, operand.window, operand.window_bytes};
}

void move_start(Operand& operand, std::uint64_t row, std::uint64_t col) {
  const auto line = operand.row_major ? row : col;
  const auto along = operand.row_major ? col : row;
  operand.offset += line * operand.ld + along;
  if (!operand.quantised()) return;
  for (auto* per_block : {&operand.blocks.scales, &operand.blocks.zeros}) {
    per_block->offset += line * per_block->ld + along / operand.blocks.size;
  }
}

Extents distinct_extents(const Operand& operand, std::uint32_t rank, const Extents& extents) {
  auto distinct = extents;
  for (std::uint32_t d = 0; d < rank; ++d) {
    if (operand.strides.at(d) == 0 && !operand.from_table())
      distinct.at(d) = std::min<std::uint64_t>(extents.at(d), 1);
  }
  return distinct;
}

bool is_aligned(const Operand& operand, std::uint64_t elements) {
  const auto length = operand.row_major ? operand.cols : operand.rows;
  const std::array places{operand.ld, length, operand.offset, operand.table_step};
  const auto fits = [&](std::uint64_t place) { return place % elements == 0; };
  return std::ranges::all_of(places, fits) && std::ranges::all_of(operand.strides, fits);
}

std::uint32_t vector_width(const Operand& operand) {
  return operand.quantised() || is_aligned(operand, 4) ? 4 : 1;
}

std::uint32_t wide(DataType type) { return 128 / bits_of(type); }

std::uint32_t packed_bits(DataType type, bool half_words) {
  const auto bits = bits_of(type);
  return bits == 32 || (bits == 16 && !half_words) ? 0 : bits;
}

std::string element_type(DataType type, std::uint32_t width, bool half_words) {
  const auto bits = packed_bits(type, half_words);
  if (bits != 0) return width == 4 && bits == 16 ? "vec2<u32>" : "u32";
  if (width == 8) return "vec4<u32>";
  const std::string scalar(to_string(type));
  return width == 1 ? scalar : "vec" + std::to_string(width) + "<" + scalar + ">";
}

}  // namespace wgemm::planning
