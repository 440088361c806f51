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

/// Scales or zero points: one for each block of each line, one line behind the other.
struct PerBlock {
  DataType type = DataType::f32;
  std::uint64_t ld = 0;      ///< of a line, with what fills its last byte; 0: there are none
  std::uint64_t offset = 0;  ///< in front of the operand's first one
  std::uint64_t window = 0;  ///< the part of the buffer that is bound, as Operand has it
  std::uint64_t window_bytes = 0;
  bool operator==(const PerBlock&) const = default;
};

/// What turns an operand of integers into numbers: a scale, and perhaps a zero point, for each block along k
/// of each line.
struct Blocks {
  std::uint64_t size = 0;  ///< elements; 0: the operand is not quantised
  PerBlock scales;
  PerBlock zeros;
  Strides strides{};  ///< blocks between the matrices of a batch: parts of k
  bool operator==(const Blocks&) const = default;
};

struct Operand {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  DataType type = DataType::f32;
  bool row_major = true;
  std::uint64_t ld = 0;      ///< elements
  std::uint32_t buffer = 0;  ///< index into Plan::buffers
  std::uint64_t offset = 0;  ///< elements in front of the first matrix
  Strides strides{};         ///< elements between the matrices of a batch
  /// Its place in an entry of the batch's table, which says where its matrices start, from 1; 0: strides
  /// alone do.
  std::uint32_t table_place = 0;
  std::uint64_t table_step = 0;  ///< greatest common divisor of the starts that it says
  /// The part of the buffer that is bound, as Binding states it; `offset` counts from its start.
  std::uint64_t window = 0;
  std::uint64_t window_bytes = 0;
  Blocks blocks{};  ///< of a quantised operand, which is contiguous along k

  [[nodiscard]] bool from_table() const { return table_place != 0; }
  [[nodiscard]] bool quantised() const { return blocks.size != 0; }
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

/// Moves the operand's start by rows and columns. A quantised one moves by whole blocks along k.
void move_start(Operand& operand, std::uint64_t row, std::uint64_t col);

/// The extents of a batch with 1 for each dimension along which all products share the operand's matrix.
Extents distinct_extents(const Operand& operand, std::uint32_t rank, const Extents& extents);

/// Elements from the first to behind the last one of a single matrix.
std::uint64_t span(const Operand& operand);

/// The same of an operand's scales or zero points, which a batch shares.
std::uint64_t span(const Operand& operand, const PerBlock& per_block);

/// The same of the matrices of a whole batch.
std::uint64_t span(const Operand& operand, std::uint32_t rank, const Extents& extents);

/// The binding of an operand.
Binding bind(std::uint32_t index, const Operand& operand, bool writable);

/// Whether every row (or column) of every matrix of the batch starts and ends at a multiple of that many
/// elements.
bool is_aligned(const Operand& operand, std::uint64_t elements);

/// Elements that one access moves: 4 where they are aligned so, otherwise 1. A quantised operand consists of
/// whole blocks.
std::uint32_t vector_width(const Operand& operand);

/// Elements of 16 bytes, the widest access there is.
std::uint32_t wide(DataType type);

/// Bits of an element where several lie in a word of the array; 0 where the array's elements are the
/// operand's.
std::uint32_t packed_bits(DataType type, bool half_words);

/// WGSL type of an array element for accesses of that width: "f32", "vec4<f16>", "u32" for integers of 8 or 4
/// bits, "vec4<u32>" for eight halfs, ...
std::string element_type(DataType type, std::uint32_t width, bool half_words);

}  // namespace wgemm::planning
