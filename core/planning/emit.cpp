#include "core/planning/emit.hpp"

#include <string>
#include <utility>

#include "core/planning/operand.hpp"
#include "core/text/expander.hpp"
#include "core/text/sources.hpp"

namespace wgemm::planning {
namespace {

/// The lines that must precede every declaration. naga refuses `enable subgroups;`, Dawn demands it.
std::string preamble(const Shader& shader, const DeviceProfile& profile) {
  std::string lines;
  if (shader.needs_f16) lines += "enable f16;\n";
  if (shader.needs_subgroups && profile.dialect == Dialect::dawn) lines += "enable subgroups;\n";
  if (shader.needs_subgroup_matrix) {
    lines += "enable chromium_experimental_subgroup_matrix;\n";
    lines += "diagnostic(off, chromium.subgroup_matrix_uniformity);\n";
  }
  return lines;
}

text::Environment names_for(const kernels::Kernel& kernel, const kernels::Geometry& geometry,
                            const Variant& variant, const DeviceProfile& profile) {
  auto names = kernels::environment(kernel);
  set_names(names, variant);
  names.set("WORKGROUP_X", geometry.workgroup_x);
  names.set("WORKGROUP_Y", geometry.workgroup_y);
  // Matrix units take operands as they are stored; elsewhere each element is converted once, when it is
  // loaded.
  names.set("compute", std::string(to_string(kernel.family->matrix_units ? variant.a_type : variant.sum)));
  names.set("STORED", static_cast<std::int64_t>(size_of(variant.a_type)));
  names.set("MATRIX_TEMPLATE", profile.matrix_dialect == MatrixDialect::majorness_template ? 1 : 0);
  names.set("MATRIX_EMULATED", profile.matrix_dialect == MatrixDialect::emulated ? 1 : 0);
  return names;
}

}  // namespace

std::string shader_label(const kernels::Kernel& kernel, const Variant& variant,
                         const DeviceProfile& profile) {
  auto text = kernels::name(kernel) + "." + label(variant);
  if (kernel.family->matrix_units) text += "." + std::string(to_string(profile.matrix_dialect));
  return text;
}

ReduceShape reduce_shape(std::uint64_t parts, std::uint64_t elements) {
  // With fewer elements than a large device runs invocations, each would wait for one part after the other.
  constexpr std::uint64_t kFewElements = std::uint64_t{1} << 18U;
  constexpr ReduceShape kWhole{4, 64, 1};
  constexpr ReduceShape kShared{1, 32, 8};
  return parts >= kShared.slices && elements <= kFewElements ? kShared : kWhole;
}

std::string reduce_label(const ReduceShape& shape, const Variant& variant) {
  return (shape.slices > 1 ? "reduce" + std::to_string(shape.slices) : "reduce") + "." + label(variant);
}

Result<Shader> emit_shader(const kernels::Kernel& kernel, const kernels::Geometry& geometry,
                           const Variant& variant, const DeviceProfile& profile) {
  auto body =
      text::expand(kernel.family->source, text::find_source, names_for(kernel, geometry, variant, profile));
  if (!body) return tl::unexpected(body.error());
  Shader shader;
  const bool matrix = kernel.family->matrix_units;
  shader.label = shader_label(kernel, variant, profile);
  shader.needs_f16 = variant.needs_f16();
  shader.needs_subgroup_matrix = matrix && profile.matrix_dialect != MatrixDialect::emulated;
  shader.needs_subgroups = shader.needs_subgroup_matrix;
  shader.workgroup_size = {geometry.workgroup_x, geometry.workgroup_y, 1};
  shader.proven_in_bounds = true;  // every load and store is guarded, or proven needless by whole tiles
  shader.wgsl = preamble(shader, profile) + *body;
  return shader;
}

Result<Shader> emit_reduce(const ReduceShape& shape, const Variant& variant, const DeviceProfile& profile) {
  text::Environment names;
  set_names(names, variant);
  names.set("ROWS", shape.rows);
  names.set("COLUMNS", shape.columns);
  names.set("SLICES", shape.slices);
  auto body = text::expand("reduce", text::find_source, std::move(names));
  if (!body) return tl::unexpected(body.error());
  Shader shader;
  shader.label = reduce_label(shape, variant);
  shader.needs_f16 = variant.needs_f16();
  shader.workgroup_size = {shape.columns, shape.rows * shape.slices, 1};
  shader.proven_in_bounds = true;
  shader.wgsl = preamble(shader, profile) + *body;
  return shader;
}

}  // namespace wgemm::planning
