// Device memory that is used again: scratch, operands of host products, copies to the host.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "native/context/device_buffer.hpp"

namespace wgemm::native {

class BufferPool;

/// Memory taken from a pool; goes back when destroyed. What it holds is undefined.
class PooledBuffer {
 public:
  PooledBuffer() = default;
  PooledBuffer(DeviceBuffer buffer, WGPUBufferUsage usage, std::shared_ptr<BufferPool> pool)
      : buffer_(std::move(buffer)), usage_(usage), pool_(std::move(pool)) {}
  PooledBuffer(PooledBuffer&& other) noexcept = default;
  PooledBuffer& operator=(PooledBuffer&& other) noexcept;
  PooledBuffer(const PooledBuffer&) = delete;
  PooledBuffer& operator=(const PooledBuffer&) = delete;
  ~PooledBuffer();

  [[nodiscard]] const DeviceBuffer& get() const { return buffer_; }
  [[nodiscard]] std::uint64_t id() const { return buffer_.id(); }
  /// Frees the memory instead of giving it back: for a buffer in a state that nobody else could use.
  void discard();

 private:
  DeviceBuffer buffer_;
  WGPUBufferUsage usage_ = WGPUBufferUsage_None;
  std::shared_ptr<BufferPool> pool_;
};

/// Keeps what was given back, the most recently used longest, up to a number of bytes. For several threads:
/// whatever is on its way on the queue is done before what comes later, so that memory may be given back as
/// soon as its commands are submitted.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  explicit BufferPool(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  /// Memory of at least `bytes`, and not of several times as much. Errors: unsupported (over the device's
  /// limit), out_of_memory, device_lost.
  Result<PooledBuffer> take(const std::shared_ptr<Device>& device, std::uint64_t bytes,
                            WGPUBufferUsage usage);
  /// New memory that is none of the pool's; where the device has none left, the pool is emptied first.
  Result<DeviceBuffer> create(const std::shared_ptr<Device>& device, std::uint64_t bytes,
                              WGPUBufferUsage usage);
  void trim();
  [[nodiscard]] std::uint64_t free_bytes() const;

 private:
  friend class PooledBuffer;
  struct Free {
    DeviceBuffer buffer;
    WGPUBufferUsage usage;
  };
  void give_back(DeviceBuffer buffer, WGPUBufferUsage usage);

  const std::uint64_t most_bytes_;
  mutable std::mutex mutex_;
  std::list<Free> free_;  ///< the most recently used first
  std::uint64_t free_bytes_ = 0;
};

/// Device to host, after all work that was submitted before, through memory of the pool; `offset` is a
/// multiple of 4.
Result<void> download(BufferPool& pool, const DeviceBuffer& buffer, std::uint64_t offset,
                      std::span<std::byte> bytes, const Wait& wait = {});

}  // namespace wgemm::native
