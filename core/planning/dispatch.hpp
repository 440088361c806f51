// Grids of workgroups cut into dispatches: by the device's limit on workgroups per dimension, and by time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planning/uniforms.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::planning {

/// What moving an element counts as, in floating-point operations, where dispatches are cut by time: devices
/// do some ten operations for each byte that they can move.
constexpr double kFlopsPerElement = 64;

struct GridSize {
  std::uint64_t x = 1;
  std::uint64_t y = 1;
  std::uint64_t z = 1;
};

/// Dispatches that cover a grid, starting where `uniforms` say, none larger than `limit` in any dimension.
std::vector<Dispatch> cover_grid(const GridSize& grid, const GridSize& limit, const Uniforms& uniforms);

/// The same, as large as a device lets them be.
std::vector<Dispatch> cover_grid(const GridSize& grid, const Limits& limits, const Uniforms& uniforms);

}  // namespace wgemm::planning
