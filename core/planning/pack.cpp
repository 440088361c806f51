#include "core/planning/pack.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/planning/dispatch.hpp"
#include "core/text/expander.hpp"
#include "core/text/sources.hpp"

namespace wgemm::planning {
namespace {

constexpr std::uint64_t kTile = 16;  // edge of the tile that a workgroup of pack.wgsl moves

Result<Shader> copy_shader(const Operand& from, const Operand& to, const Product& product, bool based) {
  text::Environment names;
  names.set("SRC_ROW", from.row_major ? 1 : 0);
  names.set("DST_ROW", to.row_major ? 1 : 0);
  names.set("RANK", product.rank);
  names.set("TABLE", from.from_table ? 1 : 0);
  names.set("TABLE_BINDING", kTableBinding);
  names.set("BASED", based ? 1 : 0);
  names.set("src_element", element_type(from.type, 1));
  names.set("dst_element", element_type(to.type, 1));
  auto body = text::expand("pack", text::find_source, std::move(names));
  if (!body) return tl::unexpected(body.error());
  Shader shader;
  shader.needs_f16 = from.type == DataType::f16 || to.type == DataType::f16;
  shader.wgsl = (shader.needs_f16 ? "enable f16;\n" : "") + *body;
  shader.label = std::string("pack.") + (from.row_major ? 'r' : 'c') + (to.row_major ? 'r' : 'c') + "." +
                 std::string(to_string(from.type)) + "." + std::string(to_string(to.type));
  if (based) shader.label += ".batch" + std::to_string(product.rank);
  if (from.from_table) shader.label += ".table";
  shader.workgroup_size = {16, 16, 1};
  shader.proven_in_bounds = true;
  return shader;
}

}  // namespace

Result<void> append_copy(Plan& plan, const Product& product, const Operand& from, const Operand& to,
                         const DeviceProfile& profile) {
  const bool based = product.rank > 0 || from.offset != 0;
  auto shader = copy_shader(from, to, product, based);
  if (!shader) return tl::unexpected(shader.error());
  Step step;
  step.kind = from.row_major == to.row_major ? StepKind::pad : StepKind::transpose;
  const auto known =
      std::ranges::find_if(plan.shaders, [&](const Shader& each) { return each.label == shader->label; });
  step.shader = static_cast<std::uint32_t>(known - plan.shaders.begin());
  if (known == plan.shaders.end()) plan.shaders.push_back(std::move(*shader));
  step.bindings = {bind(0, from, false), bind(1, to, true)};
  if (from.from_table) step.bindings.push_back({kTableBinding, product.table, false});
  step.workgroup_flops = kTile * kTile * kFlopsPerElement * 2;
  step.uniform_binding = 2;

  Uniforms uniforms;
  const auto add = [&](auto... values) {
    (uniforms.words.push_back(static_cast<std::uint32_t>(values)), ...);
  };
  add(from.rows, from.cols, to.rows, to.cols, from.ld, to.ld, 0, 0);
  std::uint64_t matrices = 1;
  if (based) {
    add(from.offset, span(to));
    uniforms.batch_word = uniforms.words.size();
    add(0);
    for (std::uint32_t d = 0; d < product.rank; ++d) {
      add(product.extents.at(d), from.strides.at(d));
      matrices *= product.extents.at(d);
    }
    if (from.from_table) add(1, from.table_word);
  }
  const std::uint64_t limit = profile.limits.max_compute_workgroups_per_dimension;
  step.dispatches = cover_grid({(to.cols + kTile - 1) / kTile, (to.rows + kTile - 1) / kTile, matrices},
                               {limit, limit, limit}, uniforms);
  plan.steps.push_back(std::move(step));
  return {};
}

}  // namespace wgemm::planning
