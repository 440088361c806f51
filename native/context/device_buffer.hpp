// Memory on a device, and copies between it and the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "native/context/device.hpp"
#include "native/context/live_counts.hpp"

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

 private:
  std::shared_ptr<Device> device_;
  Handle<WGPUBuffer> handle_;
  std::uint64_t size_ = 0;
  std::uint64_t id_ = 0;
  Counted count_;
  Counted bytes_;
};

inline constexpr WGPUBufferUsage kOperandUsage =
    WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc;

/// Host to device; `offset` is a multiple of 4, and the last word is filled up with zeros.
Result<void> upload(const DeviceBuffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes,
                    const Wait& wait = {});

/// Device to host through `staging`, made with kStagingUsage and of any size, piece by piece, after all work
/// that was submitted before; `offset` is a multiple of 4.
Result<void> download(const DeviceBuffer& buffer, std::uint64_t offset, std::span<std::byte> bytes,
                      const DeviceBuffer& staging, const Wait& wait = {});

inline constexpr WGPUBufferUsage kStagingUsage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;

/// Bytes of the staging buffer that a copy of `bytes` to the host goes through.
std::uint64_t staging_bytes(std::uint64_t bytes);

/// Reads a buffer that was made with WGPUBufferUsage_MapRead from its start, after all work before.
Result<void> read_mappable(const DeviceBuffer& staging, std::span<std::byte> bytes, const Wait& wait = {});

}  // namespace wgemm::native
