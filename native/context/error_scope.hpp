// Catches the errors of a few calls into a WebGPU library, whoever owns the device and whatever other threads
// do meanwhile.
#pragma once

#include <mutex>
#include <optional>
#include <string_view>

#include "native/context/device.hpp"

namespace wgemm::native {

/// Catches the errors of the calls that this thread makes while it lives. Scopes of one thread nest, and are
/// closed from the inside out.
class ErrorScope {
 public:
  explicit ErrorScope(Device& device);
  ErrorScope(const ErrorScope&) = delete;
  ErrorScope& operator=(const ErrorScope&) = delete;
  ~ErrorScope();

  /// The first error since construction. A refusal by validation becomes `refusal`, with the library's words
  /// after `what`.
  Result<void> close(ErrorCode refusal, std::string_view what);

  /// For the uncaptured-error callback of a device that wgemm opened: takes the error if a scope of this
  /// thread is open on that device. Libraries whose scopes are not by thread call it on the thread at fault.
  static bool take(const DeviceErrors& errors, WGPUErrorType type, std::string_view message);

 private:
  struct Caught {
    WGPUErrorType type = WGPUErrorType_NoError;
    std::string message;
  };
  [[nodiscard]] bool pushes() const;
  Result<void> pop();

  Device* device_;
  bool open_ = true;
  std::optional<Caught> first_;
  ErrorScope* outer_ = nullptr;
  /// Held on a device of the application's whose scopes are shared by all threads.
  std::unique_lock<std::mutex> lock_;
};

}  // namespace wgemm::native
