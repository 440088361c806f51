// Builds the plan of a product for a kernel that was chosen: places operands, cuts k, covers the grid, emits
// the texts.
#pragma once

#include <cstdint>

#include "core/kernels/kernel.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::planning {

/// `split_k`: parts into which k is cut, at least 1.
Result<Plan> build_plan(const Problem& problem, const DeviceProfile& profile, const kernels::Kernel& kernel,
                        const kernels::Geometry& geometry, EdgePolicy edges, std::uint32_t split_k);

}  // namespace wgemm::planning
