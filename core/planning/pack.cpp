#include "core/planning/pack.hpp"

#include <array>
#include <bit>
#include <string>
#include <utility>

#include "core/planning/arrange.hpp"
#include "core/planning/dispatch.hpp"
#include "core/planning/emit.hpp"
#include "core/planning/variant.hpp"
#include "core/text/expander.hpp"
#include "core/text/sources.hpp"

namespace wgemm::planning {
namespace {

constexpr std::uint32_t kTile =
    16;  // edge of the tile that a workgroup turns, or lines of which it moves parts
constexpr std::uint32_t kPart = 64;  // elements of such a part

/// Operands as pack.wgsl sees them: lines of a quantised one, or of words of bytes, are its rows.
struct Copy {
  Operand from;
  Operand to;
  std::uint32_t rank = 0;  ///< of the batch, without the dimensions along which all share the operand
  Extents extents{};
  bool half_words = false;
  bool to_words = false;  ///< four bytes in each word of the destination

  /// Whether parts of lines are moved as they are.
  [[nodiscard]] bool keeps_order() const { return !to_words && from.row_major == to.row_major; }
  /// Whether the source does not start at the beginning of its buffer.
  [[nodiscard]] bool based() const { return rank > 0 || from.offset != 0; }
};

Copy make_copy(const Product& product, const Operand& from, const Operand& to) {
  Copy copy{from, to};
  copy.half_words = product.half_words;
  copy.to_words = is_byte(to.type);
  const auto distinct = distinct_extents(from, product.rank, product.extents);
  for (std::uint32_t d = 0; d < product.rank; ++d) {
    if (distinct.at(d) == 1 && !from.from_table()) continue;
    copy.extents.at(copy.rank) = distinct.at(d);
    copy.from.strides.at(copy.rank++) = from.strides.at(d);
  }
  if ((from.quantised() || copy.to_words) && !to.row_major) {
    copy.from = transposed(copy.from);
    copy.to = transposed(to);
  }
  return copy;
}

std::string label(const Copy& copy) {
  const auto& [from, to, rank, extents, half_words, to_words] = copy;
  auto text = std::string(to_words ? "pack-words." : "pack.") + (from.row_major ? 'r' : 'c') +
              (to.row_major ? 'r' : 'c') + "." + std::string(to_string(from.type));
  if (from.quantised()) text += "-scales-" + std::string(to_string(from.blocks.scales.type));
  if (from.blocks.zeros.ld != 0) text += "-zeros";
  if (!to_words) text += "." + std::string(to_string(to.type));
  const bool halfs =
      from.type == DataType::f16 || (from.quantised() && from.blocks.scales.type == DataType::f16);
  if (halfs && half_words) text += ".half-words";
  if (copy.based()) text += ".batch" + std::to_string(rank);
  if (from.from_table()) text += ".table";
  return text;
}

Result<Shader> copy_shader(const Copy& copy) {
  const auto& [from, to, rank, extents, half_words, to_words] = copy;
  text::Environment names;
  const auto flag = [&](std::string_view name, bool value) { names.set(name, std::int64_t{value ? 1 : 0}); };
  flag("SRC_ROW", from.row_major);
  flag("DST_ROW", to.row_major);
  flag("BASED", copy.based());
  flag("TABLE", from.from_table());
  flag("QUANTISED", from.quantised());
  flag("SRC_SIGNED", from.type == DataType::i8 || from.type == DataType::i4);
  names.set("SRC_BITS", packed_bits(from.type, half_words));
  names.set("RANK", rank);
  names.set("TABLE_BINDING", kTableBinding);
  if (from.quantised()) {
    set_quantised_names(names, from.type, from.blocks.scales.type, from.blocks.zeros.ld != 0, half_words);
  }
  names.set("src_element", element_type(from.type, 1, half_words));
  names.set("dst_element", element_type(to.type, 1, half_words));
  names.set("compute", std::string(is_byte(from.type) && !from.quantised() ? "i32" : "f32"));
  const std::array<std::uint32_t, 3> size =
      copy.keeps_order() ? std::array{kPart, 256 / kPart, 1U} : std::array{kTile, kTile, 1U};
  names.set("WORKGROUP_X", size[0]);
  names.set("WORKGROUP_Y", size[1]);
  auto body = text::expand(to_words ? "pack_words" : "pack", text::find_source, std::move(names));
  if (!body) return tl::unexpected(body.error());
  Shader shader;
  shader.needs_f16 = !half_words && (from.type == DataType::f16 || to.type == DataType::f16 ||
                                     (from.quantised() && from.blocks.scales.type == DataType::f16));
  shader.wgsl = (shader.needs_f16 ? "enable f16;\n" : "") + *body;
  shader.label = label(copy);
  shader.workgroup_size = size;
  shader.proven_in_bounds = true;
  return shader;
}

Uniforms copy_uniforms(const Copy& copy) {
  const auto& [from, to, rank, extents, half_words, to_words] = copy;
  Uniforms uniforms;
  const auto add = [&](auto... values) {
    (uniforms.words.push_back(static_cast<std::uint32_t>(values)), ...);
  };
  add(from.rows, from.cols, to.rows, to.cols, from.ld, to.ld, 0, 0);
  if (copy.based()) {
    add(from.offset);
    add(span(to));
    uniforms.batch_word = uniforms.words.size();
    add(0);
    for (std::uint32_t d = 0; d < rank; ++d) add(extents.at(d), from.strides.at(d));
    if (from.from_table()) add(from.table_place);
  }
  if (from.quantised()) {
    const auto& [size, scales, zeros, strides] = from.blocks;
    add(scales.offset, zeros.offset, scales.ld, zeros.ld, std::countr_zero(size));
  }
  return uniforms;
}

}  // namespace

Result<void> append_copy(Plan& plan, const Product& product, const Operand& source, const Operand& target,
                         const DeviceProfile& profile) {
  const auto copy = make_copy(product, source, target);
  const auto& [from, to, rank, extents, half_words, to_words] = copy;
  const auto shader = find_or_add_shader(plan, label(copy), [&] { return copy_shader(copy); });
  if (!shader) return tl::unexpected(shader.error());
  Step step;
  step.kind = from.row_major == to.row_major ? StepKind::pad : StepKind::transpose;
  step.shader = *shader;
  step.bindings = {bind(0, from, false), bind(1, to, true)};
  const auto x = copy.keeps_order() && to.row_major ? kPart : kTile;
  const auto y = copy.keeps_order() && !to.row_major ? kPart : kTile;
  step.workgroup_flops = 2.0 * x * y * kFlopsPerElement;
  if (from.from_table()) step.bindings.push_back({kTableBinding, product.table, false});
  bind_scales(step, from);
  step.uniform_binding = 2;
  std::uint64_t matrices = 1;
  for (std::uint32_t d = 0; d < rank; ++d) matrices *= extents.at(d);
  // Of words, lanes run along the lines where those are contiguous, and across them elsewhere; the grid is
  // the same.
  const auto across = to_words ? blocks(to.cols, 4) : to.cols;
  const GridSize grid{blocks(across, x), blocks(to.rows, y), matrices};
  step.dispatches = cover_grid(grid, profile.limits, copy_uniforms(copy));
  plan.steps.push_back(std::move(step));
  return {};
}

void bind_scales(Step& step, const Operand& operand) {
  const auto bind_one = [&](std::uint32_t index, BufferRole role, const PerBlock& bound) {
    if (bound.ld == 0) return;
    step.bindings.push_back(
        {index, static_cast<std::uint32_t>(role), false, bound.window, bound.window_bytes});
  };
  bind_one(kScalesBinding, BufferRole::scales, operand.blocks.scales);
  bind_one(kZerosBinding, BufferRole::zeros, operand.blocks.zeros);
}

}  // namespace wgemm::planning
