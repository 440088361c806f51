#include "core/planning/multiply.hpp"

#include <algorithm>
#include <utility>

#include "core/planning/dispatch.hpp"
#include "core/planning/emit.hpp"
#include "core/planning/pack.hpp"

namespace wgemm::planning {
namespace {

/// The operand further along k.
void advance(Operand& a, Operand& b, std::uint64_t k) {
  move_start(a, 0, k);
  move_start(b, k, 0);
}

bool has_offsets(const Product& product) {
  return product.a.offset != 0 || product.b.offset != 0 || product.c.offset != 0 || product.bias_offset != 0;
}

bool needs_table(const Product& product, const OutputVariant& output) {
  return product.a.from_table() || product.b.from_table() || product.c.from_table() ||
         (output.residual && product.residual.from_table());
}

/// Everything but A, B and C that the variant needs.
void bind_others(Step& step, const Product& product, const Variant& variant) {
  if (variant.c.bias != Bias::none) {
    step.bindings.push_back({kBiasBinding, 3, false, product.bias_window, product.bias_bytes});
  }
  if (variant.c.residual) step.bindings.push_back(bind(kResidualBinding, product.residual, false));
  if (variant.quantised()) bind_scales(step, variant.a_quantised ? product.a : product.b);
  if (variant.table) step.bindings.push_back({kTableBinding, product.table, false});
}

void set_types(Variant& variant, const Product& part) {
  variant.a_type = part.a.type;
  variant.b_type = part.b.type;
  variant.sum = part.sum;
  variant.half_words = part.half_words;
  variant.a_quantised = part.a.quantised();
  variant.b_quantised = part.b.quantised();
  const auto& weights = part.a.quantised() ? part.a.blocks : part.b.blocks;
  variant.scale_type = weights.scales.type;
  variant.zeros = weights.zeros.ld != 0;
}

/// Whether matrix units write some block of C. Dawn wants a buffer that holds at least one of their matrices
/// bound to a text that can store one, even where it never would. Sums of slices are added first.
bool stores_matrices(const Product& part, const OutputVariant& output, const Placement& placement) {
  return placement.kernel.family->matrix_units && kernels::slices(placement.kernel) == 1 &&
         !output.epilogue() && part.c.type == DataType::f32 && vector_width(part.c) == 4 &&
         part.m >= placement.geometry.block_m && part.n >= placement.geometry.block_n;
}

void set_widths(Variant& variant, const Product& part, const Placement& placement) {
  const auto& family = *placement.kernel.family;
  switch (family.access) {
    case kernels::Access::elements:
      variant.c.aligned = stores_matrices(part, variant.c, placement);
      return;
    case kernels::Access::words_along_k:
      return;
    case kernels::Access::vectors_wide:
      variant.a_width = wide(part.a.type);
      variant.b_width = wide(part.b.type);
      // Matrix units write an array of numbers faster than one of vectors.
      variant.c.aligned = stores_matrices(part, variant.c, placement);
      variant.c.width = variant.c.aligned ? 1 : vector_width(part.c);
      return;
    case kernels::Access::vectors:
      variant.c.width = vector_width(part.c);
      [[fallthrough]];
    case kernels::Access::vectors_along_k:
      variant.a_width = vector_width(part.a);
      variant.b_width = vector_width(part.b);
      return;
    case kernels::Access::skinny_along_n:
    case kernels::Access::skinny_along_k:
      const bool along =
          family.access == kernels::Access::skinny_along_n ? part.b.row_major : !part.b.row_major;
      variant.a_width = part.a.row_major ? vector_width(part.a) : 1;
      variant.b_width = along ? vector_width(part.b) : 1;
      return;
  }
}

Variant multiply_variant(const Product& part, const OutputVariant& output, bool bounds,
                         const Placement& placement) {
  Variant variant;
  variant.a_k_contiguous = part.a.row_major;
  variant.b_k_contiguous = !part.b.row_major;
  set_types(variant, part);
  variant.c = output;
  set_widths(variant, part, placement);
  variant.bounds = bounds;
  variant.rank = part.rank;
  variant.offsets = has_offsets(part);
  variant.table = needs_table(part, variant.c);
  return variant;
}

/// Adds a batch dimension over the parts of k but the last, which may be shorter.
void add_parts(Product& part, const Arrangement& arrangement) {
  part.extents.at(part.rank) = arrangement.parts - 1;
  auto next_a = part.a;
  auto next_b = part.b;
  advance(next_a, next_b, arrangement.chunk);
  part.a.strides.at(part.rank) = next_a.offset - part.a.offset;
  part.b.strides.at(part.rank) = next_b.offset - part.b.offset;
  part.a.blocks.strides.at(part.rank) = next_a.blocks.scales.offset - part.a.blocks.scales.offset;
  part.b.blocks.strides.at(part.rank) = next_b.blocks.scales.offset - part.b.blocks.scales.offset;
  ++part.rank;
}

/// Leaves the last part alone.
void skip_to_last(Product& part, const Arrangement& arrangement) {
  const auto skipped = arrangement.parts - 1;
  advance(part.a, part.b, skipped * arrangement.chunk);
  part.c.offset += skipped * part.c.strides.at(part.rank - 1);
  part.extents.at(part.rank - 1) = 1;
}

void append_grid(Step& step, const Product& part, const Variant& variant, const Placement& placement,
                 const Epilogue& epilogue, const Limits& limits) {
  const auto& geometry = placement.geometry;
  GridSize grid{blocks(part.n, geometry.block_n), blocks(part.m, geometry.block_m), batch_count(part)};
  if (placement.kernel.family->grid == kernels::Grid::rows_along_x) std::swap(grid.x, grid.y);
  for (auto& dispatch : cover_grid(grid, limits, uniforms_for(part, variant, epilogue))) {
    step.dispatches.push_back(std::move(dispatch));
  }
}

}  // namespace

OutputVariant sums_into(const Operand& target) {
  OutputVariant output;
  output.type = target.type;
  output.by_column = !target.row_major;
  return output;
}

OutputVariant finished(const Product& product, Activation activation) {
  auto output = sums_into(product.c);
  output.scaled = product.alpha != 1 || product.beta != 0;
  output.beta = product.beta != 0;
  output.bias = product.bias;
  output.bias_type = product.bias_type;
  output.activation = activation;
  output.residual = product.add_residual;
  output.residual_row_major = product.residual.row_major;
  output.residual_type = product.residual.type;
  return output;
}

Result<void> append_multiply(Plan& plan, Product part, const OutputVariant& output,
                             const Arrangement& arrangement, const Placement& placement,
                             const DeviceProfile& profile) {
  const auto& [kernel, geometry, edges, split_k, forced, align, dequantise] = placement;
  const auto last_k = part.k - (arrangement.parts - 1) * arrangement.chunk;
  if (arrangement.parts > 1) add_parts(part, arrangement);
  const auto variant = multiply_variant(part, output, arrangement.bounds, placement);
  const auto shader = find_or_add_shader(plan, shader_label(kernel, variant, profile),
                                         [&] { return emit_shader(kernel, geometry, variant, profile); });
  if (!shader) return tl::unexpected(shader.error());

  Step step;
  step.kind = StepKind::multiply;
  step.shader = *shader;
  step.bindings = {bind(0, part.a, false), bind(1, part.b, false), bind(2, part.c, true)};
  step.uniform_binding = kDimsBinding;
  step.workgroup_flops =
      2.0 * geometry.block_m * geometry.block_n * static_cast<double>(std::min(arrangement.chunk, part.k));
  bind_others(step, part, variant);
  const auto& epilogue = plan.problem.epilogue;
  if (arrangement.parts > 1) {
    part.k = arrangement.chunk;
    append_grid(step, part, variant, placement, epilogue, profile.limits);
    skip_to_last(part, arrangement);
  }
  part.k = last_k;
  append_grid(step, part, variant, placement, epilogue, profile.limits);
  plan.steps.push_back(std::move(step));
  return {};
}

Result<void> append_reduce(Plan& plan, const Product& product, const OutputVariant& output,
                           const Operand& source, const Partials& partials, const DeviceProfile& profile) {
  auto result = product;
  result.a = source;
  Variant variant;
  variant.a_type = variant.b_type = variant.sum = partial_type(result);
  variant.half_words = result.half_words;
  variant.c = output;
  variant.rank = result.rank;
  variant.partials = true;
  variant.offsets = has_offsets(result);
  variant.table = needs_table(result, variant.c);
  const auto batch = batch_count(result);
  const auto shape = reduce_shape(partials.parts, result.m * result.n * batch);
  const auto shader = find_or_add_shader(plan, reduce_label(shape, variant),
                                         [&] { return emit_reduce(shape, variant, profile); });
  if (!shader) return tl::unexpected(shader.error());
  Step step;
  step.kind = StepKind::reduce;
  step.shader = *shader;
  step.bindings = {bind(0, source, false), bind(2, result.c, true)};
  step.uniform_binding = kDimsBinding;
  step.workgroup_flops =
      shape.rows * shape.columns * kFlopsPerElement * static_cast<double>(partials.parts + 1);
  bind_others(step, result, variant);
  const GridSize grid{blocks(result.n, shape.columns), blocks(result.m, shape.rows), batch};
  step.dispatches =
      cover_grid(grid, profile.limits, uniforms_for(result, variant, plan.problem.epilogue, partials));
  plan.steps.push_back(std::move(step));
  return {};
}

}  // namespace wgemm::planning
