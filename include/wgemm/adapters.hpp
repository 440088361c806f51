// Which WebGPU libraries and adapters this machine has, and what is missing.
#pragma once

#include <string>
#include <vector>

#include "wgemm/context.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"

namespace wgemm {

struct AdapterReport {
  DeviceProfile profile;
  std::vector<std::string> features;  ///< every feature that the library reports, by name where it has one
  /// How a 16x16 workgroup's local ids map to subgroup lanes, in words ("lanes run along x first: …"); empty
  /// where it could not be asked.
  std::string lane_order;
};

struct LibraryReport {
  std::string name;     ///< "dawn", "wgpu"
  std::string path;     ///< where it was found; empty where it was not
  std::string version;  ///< as far as the library tells
  std::string problem;  ///< why it cannot be used, and what to do; empty where it can
  std::vector<AdapterReport> adapters;
};

/// Every WebGPU library that wgemm knows, with the adapters each offers. `options` limits library, backend
/// and adapter.
std::vector<LibraryReport> list_adapters(const ContextOptions& options = {});

}  // namespace wgemm
