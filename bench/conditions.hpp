// Everything besides the kernels that a figure depends on: device, driver, library, machine, day.
#pragma once

#include <cstdint>
#include <string>

#include "wgemm/context.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/measure.hpp"

namespace wgemm::bench {

struct Conditions {
  DeviceProfile profile;
  std::string choice;           ///< why this adapter
  std::string library_version;  ///< of the WebGPU library, as far as it tells
  std::string library_path;
  bool minimum_limits = false;  ///< the device was opened as if it offered the specification's minimum only
  double timestamp_quantum_ns = 0;
  std::string cpu;
  unsigned cpu_threads = 0;
  std::string blas;  ///< name, version and threads
  std::string os;
  std::string compiler;
  std::string date;  ///< UTC, ISO 8601
};

/// What the rows of a report share.
struct Session {
  Conditions conditions;
  Roofline roofline;
  std::uint64_t seed = 1;  ///< of the random inputs
};

Conditions current_conditions(const Context& context);

}  // namespace wgemm::bench
