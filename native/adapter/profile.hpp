// From what a WebGPU library says of an adapter to the profile that plans are made for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "native/library/library.hpp"
#include "wgemm/device_profile.hpp"

namespace wgemm::native {

std::vector<WGPUFeatureName> adapter_features(const Library& library, WGPUAdapter adapter);

/// Everything but the subgroup size that shaders see, which only a device can tell.
DeviceProfile adapter_profile(const Library& library, WGPUAdapter adapter,
                              const std::vector<WGPUFeatureName>& features);

/// Of a device that the application opened: what it is as `given` or else its adapter says, and what it can
/// as its own features and limits say.
DeviceProfile device_profile(const Library& library, const std::optional<DeviceProfile>& given,
                             WGPUAdapter adapter, const std::vector<WGPUFeatureName>& features,
                             const Limits& limits);

/// The feature that subgroup builtins need; the libraries number it differently.
WGPUFeatureName subgroup_feature(LibraryKind kind);

Limits to_limits(const WGPULimits& limits);

/// Name of the WebGPU specification, or of the library's extension; its number in hexadecimal where wgemm
/// knows none.
std::string feature_name(WGPUFeatureName feature);

}  // namespace wgemm::native
