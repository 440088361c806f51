#include "core/probes/probes.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "core/text/expander.hpp"
#include "core/text/sources.hpp"

namespace wgemm {
namespace {

constexpr std::uint32_t kUnroll = 16;  // links of a chain in a round: long enough to hide the loop
constexpr std::uint32_t kVectorBytes = 16;

/// A plan of one shader and one dispatch, without buffers as yet.
Result<Plan> single(const std::string& name, std::uint32_t workgroup_size, text::Environment names,
                    std::vector<std::uint32_t> uniforms, std::uint32_t workgroups) {
  names.set("WORKGROUP", workgroup_size);
  names.set("UNROLL", kUnroll);
  auto wgsl = text::expand("probes/" + name, text::find_source, std::move(names));
  if (!wgsl) return tl::unexpected(wgsl.error());
  Plan plan;
  plan.kernel = name;
  Shader shader;
  shader.label = name;
  shader.wgsl = std::move(*wgsl);
  shader.workgroup_size = {workgroup_size, 1, 1};
  shader.proven_in_bounds = true;
  plan.shaders.push_back(std::move(shader));
  Step step;
  step.dispatches.push_back({std::move(uniforms), {workgroups, 1, 1}});
  plan.steps.push_back(std::move(step));
  return plan;
}

void bind(Plan& plan, BufferRole role, std::uint64_t bytes, bool writable) {
  const auto index = static_cast<std::uint32_t>(plan.buffers.size());
  plan.buffers.push_back({role, bytes});
  plan.steps.front().bindings.push_back({index, index, writable});
  plan.steps.front().uniform_binding = index + 1;
}

text::Environment dialect_names(const DeviceProfile& profile) {
  text::Environment names;
  names.set("DAWN", profile.dialect == Dialect::dawn ? 1 : 0);
  names.set("EDGE", kLaneProbeEdge);
  return names;
}

}  // namespace

Result<Plan> noop_probe() { return single("noop", 1, {}, {}, 1); }

Result<Plan> copy_probe(const CopyShape& shape) {
  const auto count = static_cast<std::uint32_t>(shape.bytes / kVectorBytes);
  auto plan = single("copy", shape.workgroup_size, {}, {count, shape.workgroup_size * shape.workgroups},
                     shape.workgroups);
  if (!plan) return plan;
  bind(*plan, BufferRole::a, shape.bytes, false);
  bind(*plan, BufferRole::c, shape.bytes, true);
  plan->traffic.compulsory_bytes = plan->traffic.global_bytes = 2.0 * static_cast<double>(shape.bytes);
  return plan;
}

Result<Plan> fma_probe(const FmaShape& shape) {
  text::Environment names;
  names.set("CHAINS", shape.chains);
  // The chains converge to term / (1 - factor) = 1, far from denormals and infinities.
  constexpr float kFactor = 0.75F;
  constexpr float kTerm = 0.25F;
  auto plan =
      single("fma", shape.workgroup_size, std::move(names),
             {shape.rounds, std::bit_cast<std::uint32_t>(kFactor), std::bit_cast<std::uint32_t>(kTerm)},
             shape.workgroups);
  if (!plan) return plan;
  const double invocations = static_cast<double>(shape.workgroup_size) * shape.workgroups;
  bind(*plan, BufferRole::c, std::uint64_t{shape.workgroup_size} * shape.workgroups * kVectorBytes, true);
  plan->traffic.flops = invocations * shape.rounds * kUnroll * shape.chains * 4 * 2;
  plan->traffic.compulsory_bytes = plan->traffic.global_bytes = invocations * kVectorBytes;
  return plan;
}

Result<Plan> subgroup_size_probe(const DeviceProfile& profile) {
  // As many invocations as a kernel would have: some drivers choose the size by them.
  const std::uint32_t invocations =
      std::min<std::uint32_t>(256, profile.limits.max_compute_invocations_per_workgroup);
  auto plan = single("subgroup_size", invocations, dialect_names(profile), {}, 1);
  if (!plan) return plan;
  plan->shaders.front().needs_subgroups = true;
  bind(*plan, BufferRole::c, sizeof(std::uint32_t), true);
  return plan;
}

Result<Plan> lane_order_probe(const DeviceProfile& profile) {
  auto plan = single("lane_order", 1, dialect_names(profile), {}, 1);
  if (!plan) return plan;
  plan->shaders.front().needs_subgroups = true;
  plan->shaders.front().workgroup_size = {kLaneProbeEdge, kLaneProbeEdge, 1};
  bind(*plan, BufferRole::c, 2 * sizeof(std::uint32_t) * kLaneProbeEdge * kLaneProbeEdge, true);
  return plan;
}

std::string describe_lane_order(std::span<const std::uint32_t> words) {
  constexpr std::size_t kCount = std::size_t{kLaneProbeEdge} * kLaneProbeEdge;
  if (words.size() < 2 * kCount) return {};
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t size = 0;
  bool x_first = true;
  bool y_first = true;
  for (std::size_t index = 0; index < kCount; ++index) {
    if (words[2 * index + 1] != words[1]) continue;  // another subgroup than that of local index 0
    const auto x = static_cast<std::uint32_t>(index) % kLaneProbeEdge;
    const auto y = static_cast<std::uint32_t>(index) / kLaneProbeEdge;
    const std::uint32_t lane = words[2 * index];
    width = std::max(width, x + 1);
    height = std::max(height, y + 1);
    ++size;
    x_first = x_first && lane == y * kLaneProbeEdge + x;
    y_first = y_first && lane == x * kLaneProbeEdge + y;
  }
  const std::string order = x_first   ? "lanes run along x first"
                            : y_first ? "lanes run along y first"
                                      : "lanes run in an order of the driver's own";
  return order + ": " + std::to_string(size) + " lanes cover " + std::to_string(width) + " x " +
         std::to_string(height) + " invocations of a 16 x 16 workgroup";
}

}  // namespace wgemm
