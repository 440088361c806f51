// Shapes and layouts that tests multiply.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "wgemm/problem.hpp"

namespace wgemm::tests {

struct Shape {
  std::uint64_t m = 1;
  std::uint64_t n = 1;
  std::uint64_t k = 1;
  bool operator==(const Shape&) const = default;
};

/// Orders of A, B and C.
using Layout = std::array<Order, 3>;

/// All eight, the row-major one first.
std::vector<Layout> all_layouts();

/// "rcr"
std::string letters(const Layout& layout);

/// Leading dimensions exceed the tight ones by `gap`, `gap` + 1 and `gap` + 2 elements for A, B and C (so
/// that they differ from each other); 0 is tight. C has the type of the operands unless another is given.
Problem make_problem(const Shape& shape, const Layout& layout, std::uint64_t gap, DataType type);
Problem make_problem(const Shape& shape, const Layout& layout, std::uint64_t gap, DataType type,
                     DataType c_type);

/// "m17n33k5"
std::string name(const Shape& shape);

}  // namespace wgemm::tests
