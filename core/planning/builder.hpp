// Builds the plan of a product for a kernel that was chosen: cuts it into pieces that fit the device, places
// operands, cuts k, covers the grid, emits the texts.
#pragma once

#include <cstdint>

#include "core/planning/arrange.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::planning {

/// `scratch_cap`: bytes of scratch memory that the plan may use; 0: as the device's limits allow.
Result<Plan> build_plan(const Problem& problem, const DeviceProfile& profile, const Placement& placement,
                        std::uint64_t scratch_cap);

}  // namespace wgemm::planning
