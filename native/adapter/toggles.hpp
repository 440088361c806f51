// The toggles of Dawn that wgemm sets, and why.
#pragma once

#include <array>

#include "native/extensions.hpp"

namespace wgemm::native {

namespace detail {
/// Experimental features (subgroup matrices) and f16 on NVIDIA, both of which Dawn hides by default.
inline constexpr std::array<const char*, 2> kEnabled = {"allow_unsafe_apis", "vulkan_enable_f16_on_nvidia"};
/// The same without the bounds checks that Dawn adds to every shader of the device.
inline constexpr std::array<const char*, 3> kEnabledUnchecked = {
    "allow_unsafe_apis", "vulkan_enable_f16_on_nvidia", "disable_robustness"};
/// Timestamps rounded to 65,536 ns, against timing attacks from web pages, are useless for short kernels.
inline constexpr std::array<const char*, 1> kDisabled = {"timestamp_quantization"};
}  // namespace detail

/// To be chained to an instance, an adapter request or a device of Dawn.
inline DawnToggles dawn_toggles(bool unchecked_shaders) {
  DawnToggles toggles{};
  toggles.chain.sType = kDawnTogglesDescriptor;
  toggles.enabled = unchecked_shaders ? detail::kEnabledUnchecked.data() : detail::kEnabled.data();
  toggles.enabled_count = unchecked_shaders ? detail::kEnabledUnchecked.size() : detail::kEnabled.size();
  toggles.disabled = detail::kDisabled.data();
  toggles.disabled_count = detail::kDisabled.size();
  return toggles;
}

}  // namespace wgemm::native
