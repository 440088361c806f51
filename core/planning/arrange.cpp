#include "core/planning/arrange.hpp"

#include <algorithm>
#include <numeric>

namespace wgemm::planning {
namespace {

/// Copies an operand into scratch of rows x cols in the given order, unless it already is that and `ready` as
/// it lies.
bool repack(Operand& operand, std::uint64_t& bytes, const Product& product, std::uint64_t rows,
            std::uint64_t cols, bool row_major, bool ready, bool words) {
  if (ready && operand.rows == rows && operand.cols == cols && operand.row_major == row_major) return false;
  operand = copy_of(operand, product, rows, cols, row_major, words);
  bytes = copy_bytes(operand, product);
  return true;
}

/// Times that an operand is read from its buffer from which on a copy that vectors can be loaded from pays.
constexpr std::uint64_t kWorthAligning = 8;

DataType copied_type(const Operand& operand, const Product& product) {
  // What the kernel makes of them when it loads them itself.
  if (operand.quantised()) return product.sum;
  if (operand.type == DataType::f16 && product.half_words) return DataType::f32;
  return is_byte(operand.type) ? DataType::i32 : operand.type;
}

}  // namespace

std::uint64_t batch_count(const Product& product) {
  std::uint64_t count = 1;
  for (std::uint32_t d = 0; d < product.rank; ++d) count *= product.extents.at(d);
  return count;
}

Operand copy_of(const Operand& operand, const Product& product, std::uint64_t rows, std::uint64_t cols,
                bool row_major, bool words) {
  const auto type = words ? operand.type : copied_type(operand, product);
  const auto distinct = distinct_extents(operand, product.rank, product.extents);
  auto copy = tight_operand(rows, cols, type, row_major, product.rank, distinct);
  for (std::uint32_t d = 0; d < product.rank; ++d) {
    if (distinct.at(d) != product.extents.at(d)) copy.strides.at(d) = 0;
  }
  return copy;
}

std::uint64_t copy_bytes(const Operand& copy, const Product& product) {
  return word_bytes(copy.type, span(copy, product.rank, product.extents));
}

Arrangement arrange(const Product& product, const Placement& placement) {
  const auto& [kernel, geometry, edges, split_k, forced, align, dequantise] = placement;
  Arrangement result;
  result.a = product.a;
  result.b = product.b;
  auto& a = result.a;
  auto& b = result.b;
  const bool words = kernel.family->access == kernels::Access::words_along_k;
  const bool along_k = words || kernel.family->access == kernels::Access::vectors_along_k;
  const bool padded = edges == EdgePolicy::padded;
  result.rows = padded ? round_up(product.m, geometry.block_m) : product.m;
  result.cols = padded ? round_up(product.n, geometry.block_n) : product.n;
  const auto padded_k = padded ? round_up(product.k, geometry.block_k) : product.k;
  // Vectors along k: whole vectors of 4, which zeros fill up at the end.
  const auto packed_k = along_k ? round_up(padded_k, 4) : padded_k;
  const auto access = kernel.family->access;
  // Vectors that copies are whole numbers of, in elements; such copies keep their order.
  const auto vector_of = [&](const Operand& operand) -> std::uint64_t {
    if (access == kernels::Access::vectors_wide) return wide(operand.type);
    return access == kernels::Access::vectors && align ? 4 : 1;
  };
  const auto ready = [&](const Operand& operand, bool k_contiguous, std::uint64_t times_read) {
    if (dequantise && operand.quantised()) return false;
    if (access == kernels::Access::vectors_wide) return is_aligned(operand, wide(operand.type));
    if (access == kernels::Access::vectors && align && is_floating(operand.type)) {
      return times_read < kWorthAligning || vector_width(operand) == 4;
    }
    return !along_k || (k_contiguous && vector_width(operand) == 4);
  };
  const bool a_ready = ready(product.a, product.a.row_major, blocks(product.n, geometry.block_n));
  const bool b_ready = ready(product.b, !product.b.row_major, blocks(product.m, geometry.block_m));
  const auto stretch = [&](std::uint64_t length, const Operand& operand, bool wanted) {
    return wanted ? round_up(length, vector_of(operand)) : length;
  };
  const auto rows_a = stretch(result.rows, a, !a_ready && !a.row_major);
  const auto cols_b = stretch(result.cols, b, !b_ready && b.row_major);
  const auto k_of = [&](const Operand& operand, bool is_ready, bool k_contiguous) {
    return stretch(is_ready ? padded_k : packed_k, operand, !is_ready && k_contiguous);
  };
  result.copies_a = repack(a, result.a_bytes, product, rows_a, k_of(a, a_ready, a.row_major),
                           along_k || product.a.row_major, a_ready, words);
  result.copies_b = repack(b, result.b_bytes, product, k_of(b, b_ready, !b.row_major), cols_b,
                           along_k ? false : product.b.row_major, b_ready, words);
  // A copy along k for vectors may be longer than k. Where both operands are such copies, kernels go by the
  // longer; of those that keep their order, one alone may be a copy.
  const bool in_order = access == kernels::Access::vectors_wide || access == kernels::Access::vectors;
  result.k = in_order ? padded_k : std::max(a.cols, b.rows);
  if (result.k == 0) return result;
  // Parts of whole tiles, of whole vectors, and of whole blocks of a quantised operand.
  const auto quantum = std::max({std::uint64_t{4}, product.a.blocks.size, product.b.blocks.size});
  result.unit = std::lcm(std::uint64_t{geometry.block_k}, quantum);
  result.chunk = std::max(result.unit, round_up(blocks(result.k, split_k), result.unit));
  result.parts = blocks(result.k, result.chunk);
  const auto last_k = result.k - (result.parts - 1) * result.chunk;
  result.bounds = result.rows % geometry.block_m != 0 || result.cols % geometry.block_n != 0 ||
                  last_k % geometry.block_k != 0;
  result.finishes = result.parts == 1 && result.rows == product.m && result.cols == product.n;
  if (!result.finishes) {
    result.partial_bytes =
        word_bytes(DataType::f32, result.rows * result.cols * result.parts * batch_count(product));
  }
  return result;
}

}  // namespace wgemm::planning
