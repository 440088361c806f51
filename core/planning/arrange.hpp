// What a kernel needs beside A, B and C to carry a product out: copies of operands, results of parts of k.
#pragma once

#include <cstdint>

#include "core/kernels/kernel.hpp"
#include "core/planning/product.hpp"
#include "core/round_up.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::planning {

/// How operands are placed, and into how many parts k is cut for the sake of parallelism.
struct Placement {
  const kernels::Kernel& kernel;
  const kernels::Geometry& geometry;
  EdgePolicy edges = EdgePolicy::checked;
  std::uint32_t split_k = 1;  ///< parts of k
  bool split_forced = false;  ///< by the caller: not given up to save scratch
  /// Operands that a kernel reads often in vectors are copied where they are not aligned for them. Not
  /// needed, so not done where memory is short, or where an operand may have been prepared for another number
  /// of rows.
  bool align = false;
  bool dequantise = false;  ///< weights are copied as numbers, whether the kernel needs a copy or not
};

struct Arrangement {
  Operand a;  ///< as the kernel reads it: the product's own, or tight in scratch
  Operand b;
  bool copies_a = false;
  bool copies_b = false;
  std::uint64_t rows = 0;  ///< of C as the kernel computes it: whole tiles where operands are padded
  std::uint64_t cols = 0;
  std::uint64_t k = 0;
  std::uint64_t unit = 1;   ///< parts are whole numbers of, but for the last
  std::uint64_t chunk = 0;  ///< of k in a part
  std::uint64_t parts = 1;
  bool finishes = true;  ///< the kernel writes C itself
  bool bounds = false;   ///< some tile reaches beyond a matrix

  std::uint64_t a_bytes = 0;  ///< of the copies
  std::uint64_t b_bytes = 0;
  std::uint64_t partial_bytes = 0;  ///< of results that are not C's
};

Arrangement arrange(const Product& product, const Placement& placement);

/// Matrices of the batch.
std::uint64_t batch_count(const Product& product);

/// The copy, of `rows` x `cols`, of an operand whose order or place does not suit a kernel: tight, a matrix
/// for each that the batch has, of a type that every device reads and writes element by element. (Halfs lie
/// in words on a device without shader-f16.) Where the kernel takes `words`, bytes stay bytes.
Operand copy_of(const Operand& operand, const Product& product, std::uint64_t rows, std::uint64_t cols,
                bool row_major, bool words);

/// Bytes of such a copy.
std::uint64_t copy_bytes(const Operand& copy, const Product& product);

constexpr std::uint64_t blocks(std::uint64_t value, std::uint64_t block) {
  return (value + block - 1) / block;
}

/// Bytes of that many elements, in whole words.
inline std::uint64_t word_bytes(DataType type, std::uint64_t elements) {
  return round_up(size_of(type, elements), 4);
}

}  // namespace wgemm::planning
