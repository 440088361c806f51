#include "core/planning/ranges.hpp"

#include "core/planning/arrange.hpp"

namespace wgemm::planning {
namespace {

std::uint64_t bias_length(const Product& product) {
  return product.bias == Bias::none ? 0 : product.bias == Bias::per_row ? product.m : product.n;
}

/// Moves the start of a binding up to the last multiple of the alignment in front of the elements.
void narrow(DataType type, std::uint64_t elements, std::uint64_t alignment, std::uint64_t& offset,
            std::uint64_t& window, std::uint64_t& window_bytes) {
  if (elements == 0) return;
  const auto unit = alignment * 8 / bits_of(type);
  window = offset / unit * alignment;
  offset %= unit;
  window_bytes = word_bytes(type, offset + elements);
}

}  // namespace

std::vector<Range> ranges_of(const Product& product) {
  std::vector<Range> ranges;
  const auto add = [&](const Operand& operand, std::size_t row_axis, std::size_t col_axis) {
    const auto outer = operand.row_major ? row_axis : col_axis;
    const auto inner = operand.row_major ? col_axis : row_axis;
    const auto elements = span(operand, product.rank, product.extents);
    ranges.push_back({operand.type, operand.offset, elements, outer, inner, operand.ld, operand.strides});
    for (const auto* per_block : {&operand.blocks.scales, &operand.blocks.zeros}) {
      ranges.push_back(
          {per_block->type, per_block->offset, span(operand, *per_block), outer, inner, per_block->ld, {}});
    }
  };
  add(product.a, kM, kK);
  add(product.b, kK, kN);
  add(product.c, kM, kN);
  if (product.add_residual) add(product.residual, kM, kN);
  const auto axis = product.bias == Bias::per_row ? kM : kN;
  ranges.push_back({product.bias_type, product.bias_offset, bias_length(product), axis, axis, 1, {}});
  std::erase_if(ranges, [](const Range& range) { return range.elements == 0; });
  return ranges;
}

void narrow(Product& product, std::uint64_t alignment) {
  for (auto* operand : {&product.a, &product.b, &product.c, &product.residual}) {
    if (operand == &product.residual && !product.add_residual) continue;
    narrow(operand->type, span(*operand, product.rank, product.extents), alignment, operand->offset,
           operand->window, operand->window_bytes);
    for (auto* per_block : {&operand->blocks.scales, &operand->blocks.zeros}) {
      narrow(per_block->type, span(*operand, *per_block), alignment, per_block->offset, per_block->window,
             per_block->window_bytes);
    }
  }
  narrow(product.bias_type, bias_length(product), alignment, product.bias_offset, product.bias_window,
         product.bias_bytes);
}

}  // namespace wgemm::planning
