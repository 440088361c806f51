#include "native/stream/copies.hpp"

#include <algorithm>
#include <cstring>

#include "native/stream/half.hpp"

namespace wgemm::native {

namespace {

/// Elements of a matrix from `start` on, `lines` of `length`, `ld` apart.
struct Lines {
  std::uint64_t start = 0;
  std::uint64_t lines = 0;
  std::uint64_t length = 0;
  std::uint64_t ld = 0;
};

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

/// Where the panel's part of a product's matrix lies at the caller's.
Lines at_caller(const PanelMatrix& of, std::uint64_t product) {
  const bool by_row = layout_of(of.whole, of.matrix).order == Order::row_major;
  Shape first = first_of(of.panel, of.matrix);
  if (is_transposed(of.whole, of.matrix)) {
    std::swap(first.rows, first.cols);
  }
  const Shape shape = stored_shape(of.part, of.matrix);
  Lines lines;
  lines.lines = by_row ? shape.rows : shape.cols;
  lines.length = by_row ? shape.cols : shape.rows;
  if (of.matrix == Matrix::b && of.whole.quantization.block != 0) {
    lines.length = quantization_blocks(of.part) * of.whole.quantization.block;
  }
  lines.ld = leading_dimension(of.whole, of.matrix);
  lines.start = first_element(of.whole, of.matrix, of.panel.batch0 + product) +
                (by_row ? first.rows * lines.ld + first.cols : first.cols * lines.ld + first.rows);
  return lines;
}

/// Products of the panel whose matrices are held: one where all share it.
std::uint64_t matrices_of(const PanelMatrix& of) {
  return of.part.batch.rank == 0 || strides_of(of.part.batch, of.matrix)[0] == 0 ? 1 : of.panel.batch;
}

/// Calls copy(caller's element, panel's element, number of elements) for each line of each matrix.
template <typename Copy>
void for_each_line(const PanelMatrix& of, const Copy& copy) {
  const std::uint64_t ld = leading_dimension(of.part, of.matrix);
  const std::uint64_t stride = of.part.batch.rank == 0 ? 0 : strides_of(of.part.batch, of.matrix)[0];
  for (std::uint64_t product = 0; product < matrices_of(of); ++product) {
    const Lines lines = at_caller(of, product);
    for (std::uint64_t line = 0; line < lines.lines; ++line) {
      copy(lines.start + line * lines.ld, product * stride + line * ld, lines.length);
    }
  }
}

/// Rows of whole bytes out of a tight matrix of `columns` such rows.
void gather_rows(std::uint64_t row_bytes, std::uint64_t first_byte, std::uint64_t bytes, const Panel& panel,
                 std::span<const std::byte> all, std::vector<std::byte>& part) {
  part.resize(panel.cols * bytes);
  for (std::uint64_t col = 0; col < panel.cols; ++col) {
    std::memcpy(part.data() + col * bytes, all.data() + (panel.col0 + col) * row_bytes + first_byte, bytes);
  }
}

std::uint64_t blocks_of(const Problem& whole, std::uint64_t depth) {
  return (depth + whole.quantization.block - 1) / whole.quantization.block;
}

}  // namespace

void gather(const PanelMatrix& from, std::span<const std::byte> elements, std::vector<std::byte>& panel) {
  const DataType type = layout_of(from.whole, from.matrix).type;
  panel.resize(buffer_bytes(from.part, from.matrix));
  if (from.matrix == Matrix::c && from.part.c.type != type) {  // f16 at the caller's, f32 on the device
    for_each_line(from, [&](std::uint64_t source, std::uint64_t target, std::uint64_t count) {
      for (std::uint64_t i = 0; i < count; ++i) {
        std::uint16_t half = 0;
        std::memcpy(&half, elements.data() + (source + i) * 2, 2);
        const float value = half_to_float(half);
        std::memcpy(panel.data() + (target + i) * 4, &value, 4);
      }
    });
    return;
  }
  for_each_line(from, [&](std::uint64_t source, std::uint64_t target, std::uint64_t count) {
    std::memcpy(panel.data() + size_of(type, target), elements.data() + size_of(type, source),
                size_of(type, count));
  });
}

void scatter_c(const PanelMatrix& to, std::span<const std::byte> panel, std::span<std::byte> elements) {
  const DataType type = to.whole.c.type;
  for_each_line(to, [&](std::uint64_t target, std::uint64_t source, std::uint64_t count) {
    if (to.part.c.type == type) {
      std::memcpy(elements.data() + size_of(type, target), panel.data() + size_of(type, source),
                  size_of(type, count));
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      float value = 0;
      std::memcpy(&value, panel.data() + (source + i) * 4, 4);
      const std::uint16_t half = float_to_half(value);
      std::memcpy(elements.data() + (target + i) * 2, &half, 2);
    }
  });
}

std::span<const std::byte> bias_of(const Problem& whole, const Panel& panel,
                                   std::span<const std::byte> bias) {
  const bool by_row = whole.epilogue.bias == Bias::per_row;
  const std::uint64_t size = size_of(whole.epilogue.bias_type);
  return bias.subspan((by_row ? panel.row0 : panel.col0) * size, (by_row ? panel.rows : panel.cols) * size);
}

void gather_scales(const Problem& whole, const Panel& panel, std::span<const std::byte> scales,
                   std::vector<std::byte>& part) {
  const std::uint64_t size = size_of(whole.quantization.scale_type);
  gather_rows(quantization_blocks(whole) * size, panel.k0 / whole.quantization.block * size,
              blocks_of(whole, panel.depth) * size, panel, scales, part);
}

void gather_zeros(const Problem& whole, const Panel& panel, std::span<const std::byte> zeros,
                  std::vector<std::byte>& part) {
  // Panels start at an even block: two zero points of 4 bits share a byte.
  gather_rows(size_of(whole.b.type, quantization_blocks(whole)),
              size_of(whole.b.type, panel.k0 / whole.quantization.block),
              size_of(whole.b.type, blocks_of(whole, panel.depth)), panel, zeros, part);
}

}  // namespace wgemm::native
