// A device of a WebGPU library with its queue: opening or adopting it, waiting for it, and learning what went
// wrong on it.
#pragma once

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "native/adapter/instance.hpp"
#include "native/cache/dawn_cache.hpp"
#include "native/context/device_errors.hpp"
#include "native/context/live_counts.hpp"
#include "native/context/wait.hpp"
#include "native/handle.hpp"
#include "wgemm/options.hpp"

namespace wgemm::webgpu {
struct ExternalDevice;
}

namespace wgemm::native {

/// Its functions may be called from several threads: both libraries lock by themselves (Dawn where the device
/// has kDawnThreadSafeFeature).
class Device {
 public:
  /// Opens a device with everything of the adapter that wgemm uses, or with the minimum that `options` asks
  /// for.
  static Result<std::shared_ptr<Device>> open(Adapter adapter, const ContextOptions& options);
  /// Uses a device of the application's, adding references.
  static Result<std::shared_ptr<Device>> adopt(Library& library, const webgpu::ExternalDevice& external,
                                               const ContextOptions& options);

  [[nodiscard]] const Functions& gpu() const { return adapter_.instance->library().functions(); }
  [[nodiscard]] Library& library() const { return adapter_.instance->library(); }
  [[nodiscard]] WGPUDevice get() const { return device_.get(); }
  [[nodiscard]] WGPUQueue queue() const { return queue_.get(); }
  /// As the device was opened, not as the adapter could be.
  [[nodiscard]] const DeviceProfile& profile() const { return *current_profile_.load(); }
  /// Before others use the device.
  void set_subgroup_size(std::uint32_t size) { profile_.subgroup_size = size; }
  /// Takes a matrix configuration out of the profile. Who has looked at the profile before keeps seeing that
  /// one.
  void deny(const MatrixConfig& config, std::string_view reason);
  void set_timeout(std::chrono::milliseconds timeout) { timeout_ = timeout; }
  [[nodiscard]] bool unchecked_shaders() const { return profile_.unchecked_shaders; }
  /// Whether it is the application's: then its callbacks are, too.
  [[nodiscard]] bool external() const { return external_; }
  [[nodiscard]] DeviceErrors& errors() { return *errors_; }
  [[nodiscard]] std::mutex& scope_mutex() { return scope_mutex_; }
  [[nodiscard]] const std::shared_ptr<LiveCounts>& counts() const { return counts_; }
  /// Compiled pipelines on disk; null: none are kept.
  [[nodiscard]] const DawnCache* cache() const { return cache_.get(); }

  /// Whether work can be done: learns of a loss also where the library tells it only when asked. Errors:
  /// device_lost, and what a callback recorded since the last call.
  Result<void> check_alive();
  /// Hands commands to the queue. Errors: device_lost, before the library is asked to work on a lost device.
  Result<void> submit(WGPUCommandBuffer commands);
  /// Copies host bytes, a multiple of 4, into a buffer; seen by all that is submitted later. Errors:
  /// device_lost.
  Result<void> write(WGPUBuffer buffer, std::uint64_t offset, const void* data, std::size_t bytes);
  /// Waits until the writes so far are in their buffers and the library's copies of them are free.
  Result<void> flush_writes(const Wait& wait);
  /// Lets callbacks arrive until `arrived` is set. Errors: timeout, cancelled, device_lost.
  Result<void> wait_for(const std::atomic<bool>& arrived, const Wait& wait);
  /// Waits until the queue has done all that was submitted; returns what went wrong meanwhile.
  Result<void> drain(const Wait& wait);
  /// The error that a callback recorded since the last call.
  Result<void> check();

 private:
  void pump();

  std::chrono::milliseconds timeout_{};
  bool external_ = false;
  DeviceProfile profile_;  ///< as opened
  std::atomic<const DeviceProfile*> current_profile_{&profile_};
  std::mutex denial_mutex_;
  std::list<DeviceProfile> denials_;  ///< later profiles, each with a configuration less
  std::mutex scope_mutex_;
  std::shared_ptr<LiveCounts> counts_ = std::make_shared<LiveCounts>();
  // Released from the bottom up; callbacks of the device end with it, before what they write to.
  LogHub::Listener listener_;
  LogCallback log_;
  std::unique_ptr<DeviceErrors> errors_ = std::make_unique<DeviceErrors>();
  std::unique_ptr<DawnCache> cache_;
  Adapter adapter_;
  Handle<WGPUDevice> device_;
  Handle<WGPUQueue> queue_;
  WGPUFuture lost_{};  ///< of libraries that have one
};

}  // namespace wgemm::native
