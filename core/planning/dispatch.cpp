#include "core/planning/dispatch.hpp"

#include <algorithm>

namespace wgemm {
namespace planning {

std::vector<Dispatch> cover_grid(const GridSize& grid, const GridSize& limit, const Uniforms& uniforms) {
  std::vector<Dispatch> dispatches;
  const auto word = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  for (std::uint64_t z = 0; z < grid.z; z += limit.z) {
    for (std::uint64_t y = 0; y < grid.y; y += limit.y) {
      for (std::uint64_t x = 0; x < grid.x; x += limit.x) {
        Dispatch dispatch{uniforms.words,
                          {word(std::min(limit.x, grid.x - x)), word(std::min(limit.y, grid.y - y)),
                           word(std::min(limit.z, grid.z - z))},
                          uniforms.batch_word};
        dispatch.uniforms[kGroupXWord] += word(x);
        dispatch.uniforms[kGroupYWord] += word(y);
        if (z > 0) dispatch.uniforms[uniforms.batch_word] += word(z);
        dispatches.push_back(std::move(dispatch));
      }
    }
  }
  return dispatches;
}

std::vector<Dispatch> cover_grid(const GridSize& grid, const Limits& limits, const Uniforms& uniforms) {
  const std::uint64_t most = limits.max_compute_workgroups_per_dimension;
  return cover_grid(grid, GridSize{most, most, most}, uniforms);
}

}  // namespace planning

void split_dispatches(Plan& plan, double max_flops) {
  using planning::GridSize;
  for (auto& step : plan.steps) {
    if (step.workgroup_flops <= 0) continue;
    const auto allowed =
        static_cast<std::uint64_t>(std::clamp(max_flops / step.workgroup_flops, 1.0, 0x1p53));
    std::vector<Dispatch> cut;
    for (const auto& dispatch : step.dispatches) {
      const GridSize grid{dispatch.workgroups[0], dispatch.workgroups[1], dispatch.workgroups[2]};
      const auto limit_x = std::min(grid.x, allowed);
      const auto limit_y = std::clamp<std::uint64_t>(allowed / grid.x, 1, grid.y);
      const auto limit_z = std::clamp<std::uint64_t>(allowed / (grid.x * grid.y), 1, grid.z);
      const GridSize limit{limit_x, limit_y, limit_z};
      const planning::Uniforms uniforms{dispatch.uniforms, dispatch.batch_word};
      for (auto& part : planning::cover_grid(grid, limit, uniforms)) {
        cut.push_back(std::move(part));
      }
    }
    step.dispatches = std::move(cut);
  }
}

}  // namespace wgemm
