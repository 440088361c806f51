// Limits below a device's own, that a case forces on its plan. The device would not object to a plan that
// passes them, so they are compared here.
#pragma once

#include <cstdint>
#include <string>

#include "verify/fuzz/draw.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::verify::fuzz {

/// The profile with the limits that the case forces.
DeviceProfile limited(DeviceProfile profile, const Case& each);

/// The first binding or dispatch of the plan that passes a limit, in words; empty where none does.
std::string passed_limit(const Plan& plan, const Limits& limits);

/// Bytes of device memory below what the problem's operands take, within which it can be multiplied in
/// panels; 0 where there are none.
std::uint64_t forced_memory_cap(const Problem& problem, const Limits& limits);

}  // namespace wgemm::verify::fuzz
