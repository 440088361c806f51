#include "cli/product/operand.hpp"

#include <optional>

namespace wgemm::cli {
namespace {

struct Axis {
  std::uint64_t extent = 1;
  std::uint64_t stride = 1;
};

/// The order in which one of the two axes has no gaps; the stride of an axis of one element says nothing.
std::optional<MatrixLayout> layout_of(DataType type, Axis row, Axis col) {
  if (col.extent <= 1 || col.stride == 1) {
    return MatrixLayout{type, Order::row_major, row.extent <= 1 ? 0 : row.stride, 0};
  }
  if (row.extent <= 1 || row.stride == 1) return MatrixLayout{type, Order::col_major, col.stride, 0};
  return std::nullopt;
}

}  // namespace

Operand operand_of(Array& array) {
  const Axis row{array.shape.end()[-2], array.strides.end()[-2]};
  const Axis col{array.shape.back(), array.strides.back()};
  const auto layout = layout_of(array.type, row, col);
  if (!layout) {
    array = reordered(array, Order::row_major);
    return operand_of(array);
  }
  return {{array.shape.begin(), array.shape.end() - 2},
          {array.strides.begin(), array.strides.end() - 2},
          row.extent,
          col.extent,
          *layout};
}

}  // namespace wgemm::cli
