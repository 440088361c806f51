// What wgemm asks of a device: for the devices that it opens itself, and for those of applications.
#pragma once

#include <webgpu.h>

#include <memory>
#include <string_view>
#include <vector>

#include "native/adapter/toggles.hpp"
#include "native/library/library.hpp"

namespace wgemm::native {

/// `descriptor` points at the other fields, so it lives where it was made.
struct Requirements {
  std::vector<WGPUFeatureName> features;
  WGPULimits limits{};
  DawnToggles toggles{};
  WGPUDeviceDescriptor descriptor{};
};

/// Everything of the adapter that wgemm uses; with `minimum` the specification's minimum limits and no
/// features but timestamps and, on Dawn, the lock for calls from several threads.
std::shared_ptr<const Requirements> requirements(const Library& library, WGPUAdapter adapter,
                                                 const std::vector<WGPUFeatureName>& offered, bool minimum,
                                                 bool unchecked_shaders);

/// What wgemm uses a feature for, one line.
std::string_view reason_for(WGPUFeatureName feature);

}  // namespace wgemm::native
