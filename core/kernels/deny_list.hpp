// Matrix configurations that a device reports and a driver gets wrong.
#pragma once

#include <span>
#include <string_view>

#include "wgemm/device_profile.hpp"

namespace wgemm::kernels {

/// Whose configuration is denied, and why. An empty text is any.
struct Denial {
  std::string_view vendor;
  std::string_view architecture;
  std::string_view driver;  ///< part of the driver's description
  std::string_view library;
  MatrixConfig config;
  std::string_view reason;
};

/// What is known. Whatever is not listed here is found by checking (native/context/matrix_trust.hpp).
std::span<const Denial> deny_list();

/// Takes the configurations that the list denies out of what the profile offers, each with its reason.
void apply(std::span<const Denial> list, DeviceProfile& profile);

/// Takes one out.
void deny(DeviceProfile& profile, const MatrixConfig& config, std::string_view reason);

}  // namespace wgemm::kernels
