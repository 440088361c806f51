// A device of a WebGPU library with its queue: opening it, waiting for it, and learning what went wrong on
// it.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "native/adapter/instance.hpp"
#include "native/context/device_errors.hpp"
#include "native/handle.hpp"
#include "wgemm/context.hpp"

namespace wgemm::native {

class Device {
 public:
  /// Opens a device with everything of the adapter that wgemm uses, or with the minimum that `options` asks
  /// for.
  static Result<std::shared_ptr<Device>> open(Adapter adapter, const ContextOptions& options);

  [[nodiscard]] const Functions& gpu() const { return adapter_.instance->library().functions(); }
  [[nodiscard]] Library& library() const { return adapter_.instance->library(); }
  [[nodiscard]] WGPUDevice get() const { return device_.get(); }
  [[nodiscard]] WGPUQueue queue() const { return queue_.get(); }
  /// As the device was opened, not as the adapter could be.
  [[nodiscard]] const DeviceProfile& profile() const { return profile_; }
  void set_subgroup_size(std::uint32_t size) { profile_.subgroup_size = size; }
  void set_timeout(std::chrono::milliseconds timeout) { timeout_ = timeout; }
  [[nodiscard]] bool unchecked_shaders() const { return unchecked_shaders_; }
  [[nodiscard]] DeviceErrors& errors() { return *errors_; }

  /// Hands commands to the queue. Errors: device_lost, before the library is asked to work on a lost device.
  Result<void> submit(WGPUCommandBuffer commands);
  /// Copies host bytes, a multiple of 4, into a buffer; seen by all that is submitted later. Errors:
  /// device_lost.
  Result<void> write(WGPUBuffer buffer, std::uint64_t offset, const void* data, std::size_t bytes);
  /// Waits until the writes so far are in their buffers and the library's copies of them are free.
  Result<void> flush_writes();
  /// Lets callbacks arrive until `arrived` is set. Errors: timeout, device_lost.
  Result<void> wait_for(const std::atomic<bool>& arrived);
  /// Waits until the queue has done all that was submitted; returns what went wrong meanwhile.
  Result<void> drain();
  /// The error that a callback recorded since the last call.
  Result<void> check();

 private:
  void pump();
  /// Learns whether the device is lost where the library tells it only when asked.
  Result<void> check_alive();

  std::chrono::milliseconds timeout_{};
  bool unchecked_shaders_ = false;
  DeviceProfile profile_;
  // Released from the bottom up; callbacks of the device end with it, before what they write to.
  LogHub::Listener listener_;
  LogCallback log_;
  std::unique_ptr<DeviceErrors> errors_ = std::make_unique<DeviceErrors>();
  Adapter adapter_;
  Handle<WGPUDevice> device_;
  Handle<WGPUQueue> queue_;
};

/// Catches the errors of the calls made while it lives. Scopes nest.
class ErrorScope {
 public:
  explicit ErrorScope(Device& device);
  ErrorScope(const ErrorScope&) = delete;
  ErrorScope& operator=(const ErrorScope&) = delete;
  ~ErrorScope();

  /// The first error since construction. A refusal by validation becomes `refusal`, with the library's words
  /// after `what`.
  Result<void> close(ErrorCode refusal, std::string_view what);

 private:
  Device* device_;
  bool open_ = true;
};

}  // namespace wgemm::native
