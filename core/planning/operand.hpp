// An operand as a kernel sees it: where it lies, in which order, how wide it can be read, and what that
// costs.
#pragma once

#include <cstdint>
#include <string>

#include "wgemm/plan.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::planning {

struct Operand {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  DataType type = DataType::f32;
  bool row_major = true;
  std::uint64_t ld = 0;      ///< elements
  std::uint32_t buffer = 0;  ///< index into Plan::buffers
};

Operand make_operand(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols,
                     std::uint32_t buffer);

/// The same memory read as the transposed matrix.
Operand transposed(const Operand& operand);

std::uint64_t size_in_bytes(const Operand& operand);

/// Elements that one access moves: 4 where every row (or column) starts and ends at a multiple of 4,
/// otherwise 1.
std::uint32_t vector_width(const Operand& operand);

/// WGSL type of an array element for accesses of that width: "f32", "vec4<f16>", …
std::string element_type(DataType type, std::uint32_t width);

}  // namespace wgemm::planning
