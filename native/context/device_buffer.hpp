// Memory on a device, and copies between it and the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "native/context/device.hpp"

namespace wgemm::native {

/// Frees its memory when destroyed, whatever bind groups still name it. Keeps its device alive.
class DeviceBuffer {
 public:
  /// `bytes` is rounded up to a multiple of 4. Errors: unsupported (over the device's limit), out_of_memory.
  static Result<DeviceBuffer> create(std::shared_ptr<Device> device, std::uint64_t bytes,
                                     WGPUBufferUsage usage);

  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();

  [[nodiscard]] WGPUBuffer get() const { return handle_.get(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Never given twice in a process, unlike addresses.
  [[nodiscard]] std::uint64_t id() const { return id_; }
  [[nodiscard]] const std::shared_ptr<Device>& device() const { return device_; }

  /// Buffers of the whole process that hold memory now; for tests.
  static std::int64_t live();

 private:
  std::shared_ptr<Device> device_;
  Handle<WGPUBuffer> handle_;
  std::uint64_t size_ = 0;
  std::uint64_t id_ = 0;
};

inline constexpr WGPUBufferUsage kOperandUsage =
    WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc;

/// Host to device; `offset` is a multiple of 4, and the last word is filled up with zeros.
Result<void> upload(const DeviceBuffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes);

/// Device to host, after all work that was submitted before; `offset` is a multiple of 4.
Result<void> download(const DeviceBuffer& buffer, std::uint64_t offset, std::span<std::byte> bytes);

/// Reads a buffer that was made with WGPUBufferUsage_MapRead from its start, after all work before.
Result<void> read_mappable(const DeviceBuffer& staging, std::span<std::byte> bytes);

}  // namespace wgemm::native
