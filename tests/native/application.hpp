// An application with a WebGPU device of its own, as tests of the interface for such applications need one.
#pragma once

#include <webgpu.h>

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "native/adapter/instance.hpp"
#include "native/library/library.hpp"
#include "wgemm/webgpu.hpp"

namespace wgemm {

class Application {
 public:
  /// Opens a device with what `webgpu::device_requirements` says, or with nothing but the defaults.
  explicit Application(const std::string& library, bool fast_paths = true);
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;
  ~Application();

  [[nodiscard]] const native::Functions& gpu() const { return library_->functions(); }
  [[nodiscard]] WGPUDevice device() const { return device_; }
  [[nodiscard]] WGPUQueue queue() const { return queue_; }
  [[nodiscard]] WGPUAdapter adapter() const { return adapter_.handle.get(); }
  [[nodiscard]] const DeviceProfile& adapter_profile() const { return adapter_.profile; }
  /// To be handed over; the library is named.
  [[nodiscard]] webgpu::ExternalDevice handles() const;
  /// The symbols of its library, as dlsym gives them.
  [[nodiscard]] webgpu::LibrarySource loader() const;
  /// Errors that arrived at the application's callback.
  [[nodiscard]] int errors() const { return errors_; }

  [[nodiscard]] WGPUBuffer buffer(std::uint64_t bytes, WGPUBufferUsage usage) const;
  [[nodiscard]] WGPUBuffer storage(std::span<const float> values, std::uint64_t offset,
                                   std::uint64_t bytes) const;
  [[nodiscard]] WGPUCommandEncoder encoder() const {
    return gpu().DeviceCreateCommandEncoder(device_, nullptr);
  }
  /// Finishes, submits and releases.
  void submit(WGPUCommandEncoder encoder) const;
  /// The first floats of a buffer, after all work.
  [[nodiscard]] std::vector<float> contents(WGPUBuffer buffer, std::size_t count) const;
  void wait_until(const std::atomic<bool>& arrived) const;
  void lose() const { gpu().DeviceDestroy(device_); }

 private:
  native::Library* library_;
  native::Adapter adapter_;
  WGPUDevice device_ = nullptr;
  WGPUQueue queue_ = nullptr;
  std::atomic<int> errors_{0};
};

}  // namespace wgemm
