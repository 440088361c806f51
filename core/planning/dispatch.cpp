#include "core/planning/dispatch.hpp"

#include <algorithm>

namespace wgemm {
namespace planning {

std::vector<Dispatch> cover_grid(std::uint64_t groups_x, std::uint64_t groups_y, std::uint64_t limit_x,
                                 std::uint64_t limit_y, const std::vector<std::uint32_t>& uniforms) {
  std::vector<Dispatch> dispatches;
  for (std::uint64_t y = 0; y < groups_y; y += limit_y) {
    for (std::uint64_t x = 0; x < groups_x; x += limit_x) {
      Dispatch dispatch{uniforms,
                        {static_cast<std::uint32_t>(std::min(limit_x, groups_x - x)),
                         static_cast<std::uint32_t>(std::min(limit_y, groups_y - y)), 1}};
      dispatch.uniforms[kGroupXWord] += static_cast<std::uint32_t>(x);
      dispatch.uniforms[kGroupYWord] += static_cast<std::uint32_t>(y);
      dispatches.push_back(std::move(dispatch));
    }
  }
  return dispatches;
}

}  // namespace planning

void split_dispatches(Plan& plan, double max_flops) {
  for (auto& step : plan.steps) {
    if (step.kind != StepKind::multiply) continue;
    double groups = 0;
    for (const auto& dispatch : step.dispatches) {
      groups += static_cast<double>(dispatch.workgroups[0]) * static_cast<double>(dispatch.workgroups[1]);
    }
    const auto allowed =
        static_cast<std::uint64_t>(std::max(1.0, max_flops / std::max(1.0, plan.traffic.flops) * groups));
    std::vector<Dispatch> cut;
    for (const auto& dispatch : step.dispatches) {
      const std::uint64_t columns = dispatch.workgroups[0];
      const auto limit_x = std::min(columns, allowed);
      const auto limit_y = std::max<std::uint64_t>(1, allowed / columns);
      for (auto& part :
           planning::cover_grid(columns, dispatch.workgroups[1], limit_x, limit_y, dispatch.uniforms)) {
        cut.push_back(std::move(part));
      }
    }
    step.dispatches = std::move(cut);
  }
}

}  // namespace wgemm
