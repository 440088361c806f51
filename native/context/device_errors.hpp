// What went wrong on a device outside of any call that could return it.
#pragma once

#include <webgpu.h>

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "wgemm/error.hpp"

namespace wgemm::native {

/// The code that a WebGPU error means; a lost device is told by its message where the library has no other
/// way.
ErrorCode to_code(WGPUErrorType type, std::string_view message);

/// The library's words in one line of bearable length; a shader's own text, which some libraries repeat, is
/// cut.
std::string shorten(std::string_view message);

/// Written from callbacks on any thread.
class DeviceErrors {
 public:
  void record(WGPUErrorType type, std::string_view message);
  void lose(std::string_view message);
  [[nodiscard]] bool lost() const;

  /// The loss of the device if it is lost, else the first error since the last call, which is forgotten.
  std::optional<Error> take();

 private:
  mutable std::mutex mutex_;
  std::optional<Error> first_;
  std::optional<Error> loss_;
};

}  // namespace wgemm::native
