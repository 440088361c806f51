// The subgroup size that compute shaders really see, where the library does not say it.
#pragma once

#include <memory>
#include <string>

#include "native/context/device.hpp"

namespace wgemm::native {

/// Sets the profile's subgroup_size: as reported where the reported range is one size, else as a shader saw
/// it; 0 without the feature.
Result<void> ask_subgroup_size(const std::shared_ptr<Device>& device);

/// How a 16x16 workgroup's local ids map to subgroup lanes, in words; empty without the feature.
Result<std::string> ask_lane_order(const std::shared_ptr<Device>& device);

}  // namespace wgemm::native
