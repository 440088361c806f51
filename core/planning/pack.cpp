#include "core/planning/pack.hpp"

#include <algorithm>
#include <string>

#include "core/planning/dispatch.hpp"
#include "core/text/expander.hpp"
#include "core/text/sources.hpp"

namespace wgemm::planning {
namespace {

constexpr std::uint64_t kTile = 16;  // edge of the tile that a workgroup of pack.wgsl moves

Result<Shader> copy_shader(const Operand& from, const Operand& to) {
  text::Environment names;
  names.set("SRC_ROW", from.row_major ? 1 : 0);
  names.set("DST_ROW", to.row_major ? 1 : 0);
  names.set("src_element", element_type(from.type, 1));
  names.set("dst_element", element_type(to.type, 1));
  auto body = text::expand("pack", text::find_source, std::move(names));
  if (!body) return tl::unexpected(body.error());
  Shader shader;
  shader.needs_f16 = from.type == DataType::f16 || to.type == DataType::f16;
  shader.wgsl = (shader.needs_f16 ? "enable f16;\n" : "") + *body;
  shader.label = std::string("pack.") + (from.row_major ? 'r' : 'c') + (to.row_major ? 'r' : 'c') + "." +
                 std::string(to_string(from.type)) + "." + std::string(to_string(to.type));
  shader.workgroup_size = {16, 16, 1};
  shader.proven_in_bounds = true;
  return shader;
}

}  // namespace

Result<void> append_copy(Plan& plan, StepKind kind, const Operand& from, const Operand& to,
                         const DeviceProfile& profile) {
  auto shader = copy_shader(from, to);
  if (!shader) return tl::unexpected(shader.error());
  Step step;
  step.kind = kind;
  const auto known =
      std::ranges::find_if(plan.shaders, [&](const Shader& each) { return each.label == shader->label; });
  step.shader = static_cast<std::uint32_t>(known - plan.shaders.begin());
  if (known == plan.shaders.end()) plan.shaders.push_back(std::move(*shader));
  step.bindings = {{0, from.buffer, false}, {1, to.buffer, true}};
  step.uniform_binding = 2;
  const auto word = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const std::vector<std::uint32_t> uniforms{
      word(from.rows), word(from.cols), word(to.rows), word(to.cols), word(from.ld), word(to.ld), 0, 0};
  const std::uint64_t limit = profile.limits.max_compute_workgroups_per_dimension;
  step.dispatches =
      cover_grid((to.cols + kTile - 1) / kTile, (to.rows + kTile - 1) / kTile, limit, limit, uniforms);
  plan.steps.push_back(std::move(step));
  return {};
}

}  // namespace wgemm::planning
