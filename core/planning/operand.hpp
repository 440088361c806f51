// An operand as a kernel sees it: where it lies, in which order, how wide it can be read, and what that
// costs.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "wgemm/plan.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::planning {

/// Batch dimensions of a kernel: the caller's, and one for the parts of a product that is cut along k.
constexpr std::size_t kMaxRank = kMaxBatchRank + 1;
using Strides = std::array<std::uint64_t, kMaxRank>;

struct Operand {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  DataType type = DataType::f32;
  bool row_major = true;
  std::uint64_t ld = 0;          ///< elements
  std::uint32_t buffer = 0;      ///< index into Plan::buffers
  std::uint64_t offset = 0;      ///< elements in front of the first matrix
  Strides strides{};             ///< elements between the matrices of a batch
  std::uint32_t table_word = 0;  ///< its place in an entry of the batch's table
  bool from_table = false;       ///< the table says where its matrices start, in addition to the strides
  bool table_aligned = true;     ///< every start that it says is a multiple of 4
  /// The part of the buffer that is bound, as Binding states it; `offset` counts from its start.
  std::uint64_t window = 0;
  std::uint64_t window_bytes = 0;
  bool operator==(const Operand&) const = default;
};

/// Extents of a batch.
using Extents = std::array<std::uint64_t, kMaxRank>;

/// The dimensions of a problem's batch. A table is a single one, over its entries.
struct BatchShape {
  std::uint32_t rank = 0;
  Extents extents{};
};
BatchShape batch_shape(const Problem& problem);

/// op(A), op(B), C or the residual of a problem, in the buffer of that index.
Operand make_operand(const Problem& problem, Matrix matrix, std::uint32_t buffer);

/// A tight matrix of its own, one behind the other for a batch of those extents.
Operand tight_operand(std::uint64_t rows, std::uint64_t cols, DataType type, bool row_major,
                      std::uint32_t rank, const Extents& extents);

/// The same memory read as the transposed matrix.
Operand transposed(const Operand& operand);

/// Elements from the first to behind the last one of a single matrix.
std::uint64_t span(const Operand& operand);

/// The same of the matrices of a whole batch.
std::uint64_t span(const Operand& operand, std::uint32_t rank, const Extents& extents);

/// The binding of an operand.
Binding bind(std::uint32_t index, const Operand& operand, bool writable);

/// Elements that one access moves: 4 where every row (or column) of every matrix of the batch starts and ends
/// at a multiple of 4, otherwise 1.
std::uint32_t vector_width(const Operand& operand);

/// WGSL type of an array element for accesses of that width: "f32", "vec4<f16>", ...
std::string element_type(DataType type, std::uint32_t width);

}  // namespace wgemm::planning
