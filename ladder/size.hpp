// The edge of the square product that a ladder climbs on when nobody says: large on a GPU, small enough on a
// software adapter that the whole ends within two minutes.
#pragma once

#include <cstdint>

#include "wgemm/device_profile.hpp"

namespace wgemm::ladder {

/// `peak` is the device's own, in operations per second.
std::uint64_t fitting_size(const DeviceProfile& profile, double peak);

}  // namespace wgemm::ladder
