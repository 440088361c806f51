#include "verify/fuzz/forced_limits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/streaming/panels.hpp"

namespace wgemm::verify::fuzz {

DeviceProfile limited(DeviceProfile profile, const Case& each) {
  auto& limits = profile.limits;
  if (each.workgroups_per_dimension != 0) {
    limits.max_compute_workgroups_per_dimension = each.workgroups_per_dimension;
  }
  if (each.binding_bytes != 0) limits.max_storage_buffer_binding_size = each.binding_bytes;
  return profile;
}

std::string passed_limit(const Plan& plan, const Limits& limits) {
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    for (const auto& binding : plan.steps[step].bindings) {
      const auto role = to_string(plan.buffers.at(binding.buffer).role);
      const auto bytes = bound_bytes(plan, binding);
      if (bytes > limits.max_storage_buffer_binding_size) {
        return fmt::format("step {} binds {} bytes of {}; the limit is {}", step, bytes, role,
                           limits.max_storage_buffer_binding_size);
      }
      if (binding.offset % limits.min_storage_buffer_offset_alignment != 0) {
        return fmt::format("step {} binds {} from byte {}, which is no multiple of {}", step, role,
                           binding.offset, limits.min_storage_buffer_offset_alignment);
      }
    }
    for (const auto& dispatch : plan.steps[step].dispatches) {
      const auto most = std::ranges::max(dispatch.workgroups);
      if (most > limits.max_compute_workgroups_per_dimension) {
        return fmt::format("step {} dispatches {} workgroups in a dimension; the limit is {}", step, most,
                           limits.max_compute_workgroups_per_dimension);
      }
    }
  }
  return {};
}

std::uint64_t forced_memory_cap(const Problem& problem, const Limits& limits) {
  constexpr std::uint64_t kLeast = 4000;  // its sixteenth, for scratch memory, must hold a tile
  const auto bytes = operand_bytes(problem);
  for (const std::uint64_t share : {3, 2}) {
    const auto cap = bytes / share;
    if (cap >= kLeast && plan_streaming(problem, limits, cap)) return cap;
  }
  return 0;
}

}  // namespace wgemm::verify::fuzz
