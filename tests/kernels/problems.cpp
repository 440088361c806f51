#include "tests/kernels/problems.hpp"

namespace wgemm::tests {
namespace {

MatrixLayout make_layout(DataType type, Order order, std::uint64_t rows, std::uint64_t cols,
                         std::uint64_t gap) {
  return {type, order, gap == 0 ? 0 : (order == Order::row_major ? cols : rows) + gap};
}

}  // namespace

std::vector<Layout> all_layouts() {
  std::vector<Layout> layouts;
  for (const auto a : {Order::row_major, Order::col_major}) {
    for (const auto b : {Order::row_major, Order::col_major}) {
      for (const auto c : {Order::row_major, Order::col_major}) layouts.push_back({a, b, c});
    }
  }
  return layouts;
}

std::string letters(const Layout& layout) {
  std::string text;
  for (const auto order : layout) text += order == Order::row_major ? 'r' : 'c';
  return text;
}

Problem make_problem(const Shape& shape, const Layout& layout, std::uint64_t gap, DataType type,
                     DataType c_type) {
  return {shape.m,
          shape.n,
          shape.k,
          make_layout(type, layout[0], shape.m, shape.k, gap),
          make_layout(type, layout[1], shape.k, shape.n, 2 * gap),
          make_layout(c_type, layout[2], shape.m, shape.n, 3 * gap)};
}

Problem make_problem(const Shape& shape, const Layout& layout, std::uint64_t gap, DataType type) {
  return make_problem(shape, layout, gap, type, type);
}

std::string name(const Shape& shape) {
  return "m" + std::to_string(shape.m) + "n" + std::to_string(shape.n) + "k" + std::to_string(shape.k);
}

}  // namespace wgemm::tests
