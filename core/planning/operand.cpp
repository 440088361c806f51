#include "core/planning/operand.hpp"

#include <utility>

namespace wgemm::planning {

Operand make_operand(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols,
                     std::uint32_t buffer) {
  return {rows,  cols, layout.type, layout.order == Order::row_major, leading_dimension(layout, rows, cols),
          buffer};
}

Operand transposed(const Operand& operand) {
  auto result = operand;
  std::swap(result.rows, result.cols);
  result.row_major = !operand.row_major;
  return result;
}

std::uint64_t size_in_bytes(const Operand& operand) {
  const auto lines = operand.row_major ? operand.rows : operand.cols;
  const auto length = operand.row_major ? operand.cols : operand.rows;
  return ((lines - 1) * operand.ld + length) * size_of(operand.type);
}

std::uint32_t vector_width(const Operand& operand) {
  const auto length = operand.row_major ? operand.cols : operand.rows;
  return operand.ld % 4 == 0 && length % 4 == 0 ? 4 : 1;
}

std::string element_type(DataType type, std::uint32_t width) {
  const std::string scalar(to_string(type));
  return width == 1 ? scalar : "vec" + std::to_string(width) + "<" + scalar + ">";
}

}  // namespace wgemm::planning
