// Grids of workgroups cut into dispatches: by the device's limit on workgroups per dimension, and by time.
#pragma once

#include <cstdint>
#include <vector>

#include "wgemm/plan.hpp"

namespace wgemm::planning {

/// In the uniform block of every kernel, the words that say where a dispatch starts in the grid.
constexpr std::size_t kGroupXWord = 6;
constexpr std::size_t kGroupYWord = 7;

/// Dispatches that cover a grid of groups_x x groups_y workgroups, starting at the position in `uniforms`,
/// none larger than limit_x x limit_y.
std::vector<Dispatch> cover_grid(std::uint64_t groups_x, std::uint64_t groups_y, std::uint64_t limit_x,
                                 std::uint64_t limit_y, const std::vector<std::uint32_t>& uniforms);

}  // namespace wgemm::planning
