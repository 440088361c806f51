// The files below core/selection/data, which the build turns into C++.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "wgemm/tuning.hpp"

namespace wgemm::selection {

/// A TuningDevice without strings of its own.
struct ShippedDevice {
  std::string_view vendor, architecture, name, driver, backend, library, library_version;
  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;
};

/// A TuningEntry without strings of its own.
struct ShippedEntry {
  ShippedDevice device;
  TuningProblem problem;
  std::string_view kernel, date, tool;
  double seconds = 0;
  double heuristic_seconds = 0;
  std::uint32_t split_k = 1;
  bool unchecked_shaders = false;
};

std::span<const ShippedEntry> shipped_entries();

}  // namespace wgemm::selection
