#include "core/planning/emit.hpp"

#include <string>

#include "core/planning/operand.hpp"
#include "core/text/expander.hpp"
#include "core/text/sources.hpp"

namespace wgemm::planning {
namespace {

std::string variant_label(const Variant& variant) {
  std::string label{variant.a_k_contiguous ? 'r' : 'c', variant.b_k_contiguous ? 'c' : 'r'};
  label += "." + std::string(to_string(variant.type)) + "." + std::string(to_string(variant.c_type));
  label += ".v" + std::to_string(variant.a_width) + std::to_string(variant.b_width) +
           std::to_string(variant.c_width);
  return label + (variant.bounds ? ".edges" : ".whole");
}

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
  names.set("WORKGROUP_X", geometry.workgroup_x);
  names.set("WORKGROUP_Y", geometry.workgroup_y);
  names.set("BOUNDS", variant.bounds ? 1 : 0);
  names.set("A_K_CONTIGUOUS", variant.a_k_contiguous ? 1 : 0);
  names.set("B_K_CONTIGUOUS", variant.b_k_contiguous ? 1 : 0);
  names.set("C_F32", variant.c_type == DataType::f32 ? 1 : 0);
  names.set("A_V", variant.a_width);
  names.set("B_V", variant.b_width);
  names.set("C_V", variant.c_width);
  names.set("a_element", element_type(variant.type, variant.a_width));
  names.set("b_element", element_type(variant.type, variant.b_width));
  names.set("c_element", element_type(variant.c_type, variant.c_width));
  names.set("stored", std::string(to_string(variant.type)));
  // Matrix units take operands as they are stored; elsewhere f16 is widened once, when it is loaded.
  names.set("compute", std::string(kernel.family->matrix_units ? to_string(variant.type) : "f32"));
  names.set("accumulate", std::string("f32"));
  names.set("MATRIX_TEMPLATE", profile.matrix_dialect == MatrixDialect::majorness_template ? 1 : 0);
  names.set("MATRIX_EMULATED", profile.matrix_dialect == MatrixDialect::emulated ? 1 : 0);
  return names;
}

}  // namespace

Result<Shader> emit_shader(const kernels::Kernel& kernel, const kernels::Geometry& geometry,
                           const Variant& variant, const DeviceProfile& profile) {
  auto body =
      text::expand(kernel.family->source, text::find_source, names_for(kernel, geometry, variant, profile));
  if (!body) return tl::unexpected(body.error());
  Shader shader;
  const bool matrix = kernel.family->matrix_units;
  shader.label = kernels::name(kernel) + "." + variant_label(variant);
  if (matrix) shader.label += "." + std::string(to_string(profile.matrix_dialect));
  shader.needs_f16 = variant.type == DataType::f16 || variant.c_type == DataType::f16;
  shader.needs_subgroup_matrix = matrix && profile.matrix_dialect != MatrixDialect::emulated;
  shader.needs_subgroups = shader.needs_subgroup_matrix;
  shader.workgroup_size = {geometry.workgroup_x, geometry.workgroup_y, 1};
  shader.proven_in_bounds = true;  // every load and store is guarded, or proven needless by whole tiles
  shader.wgsl = preamble(shader, profile) + *body;
  return shader;
}

}  // namespace wgemm::planning
