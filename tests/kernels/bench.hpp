// The devices that the kernels are tested on: one WebGPU library, opened in several ways, each once per
// process.
#pragma once

#include <memory>
#include <string>

#include "wgemm/context.hpp"
#include "wgemm/error.hpp"

namespace wgemm::tests {

/// How a device is opened, and with which profile plans are made for it.
enum class Setting : std::uint8_t {
  standard,
  minimum,    ///< the specification's minimum limits, no optional features
  unchecked,  ///< without the library's bounds checks
  emulated,   ///< the standard device, its matrix units emulated lane by lane
};

class Bench {
 public:
  /// The library that the environment variable WGEMM_TEST_LIBRARY names ("dawn" if none).
  static Bench& get();

  [[nodiscard]] const std::string& library() const { return library_; }
  /// Whether the library lies on this machine. Where it does, everything must work; where not, tests are
  /// skipped.
  [[nodiscard]] bool is_installed() const;
  /// nullptr where the device does not open; `problem` says why.
  Context* context(Setting setting);
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// What plans are made for. The device must open.
  DeviceProfile profile(Setting setting);

 private:
  Bench();

  std::string library_;
  std::string problem_;
  std::unique_ptr<Context> standard_;
  std::unique_ptr<Context> minimum_;
  std::unique_ptr<Context> unchecked_;
};

}  // namespace wgemm::tests
