#include "native/context/buffer_pool.hpp"

#include <utility>

namespace wgemm::native {

namespace {

/// A buffer this much larger than what is asked for is left to others.
bool fits(std::uint64_t size, std::uint64_t wanted) {
  constexpr std::uint64_t kSmall = std::uint64_t{64} << 10;
  return size >= wanted && (size / 4 <= wanted || size <= kSmall);
}

}  // namespace

PooledBuffer& PooledBuffer::operator=(PooledBuffer&& other) noexcept {
  std::swap(buffer_, other.buffer_);
  std::swap(usage_, other.usage_);
  std::swap(pool_, other.pool_);
  return *this;
}

PooledBuffer::~PooledBuffer() {
  if (pool_ && buffer_.get() != nullptr) {
    pool_->give_back(std::move(buffer_), usage_);
  }
}

void PooledBuffer::discard() {
  pool_.reset();
  buffer_ = DeviceBuffer();
}

Result<PooledBuffer> BufferPool::take(const std::shared_ptr<Device>& device, std::uint64_t bytes,
                                      WGPUBufferUsage usage) {
  {
    const std::lock_guard lock(mutex_);
    auto best = free_.end();
    for (auto candidate = free_.begin(); candidate != free_.end(); ++candidate) {
      if (candidate->usage == usage && fits(candidate->buffer.size(), bytes) &&
          (best == free_.end() || candidate->buffer.size() < best->buffer.size())) {
        best = candidate;
      }
    }
    if (best != free_.end()) {
      DeviceBuffer found = std::move(best->buffer);
      free_bytes_ -= found.size();
      free_.erase(best);
      return PooledBuffer(std::move(found), usage, shared_from_this());
    }
  }
  Result<DeviceBuffer> made = create(device, bytes, usage);
  if (!made) {
    return tl::unexpected(made.error());
  }
  return PooledBuffer(std::move(*made), usage, shared_from_this());
}

Result<DeviceBuffer> BufferPool::create(const std::shared_ptr<Device>& device, std::uint64_t bytes,
                                        WGPUBufferUsage usage) {
  Result<DeviceBuffer> made = DeviceBuffer::create(device, bytes, usage);
  if (made || made.error().code != ErrorCode::out_of_memory) {
    return made;
  }
  trim();
  return DeviceBuffer::create(device, bytes, usage);
}

void BufferPool::give_back(DeviceBuffer buffer, WGPUBufferUsage usage) {
  std::list<Free> dropped;  // freed without the lock
  const std::lock_guard lock(mutex_);
  free_bytes_ += buffer.size();
  free_.push_front({std::move(buffer), usage});
  while (free_bytes_ > most_bytes_) {
    free_bytes_ -= free_.back().buffer.size();
    dropped.splice(dropped.end(), free_, std::prev(free_.end()));
  }
}

void BufferPool::trim() {
  std::list<Free> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(free_);
  free_bytes_ = 0;
}

std::uint64_t BufferPool::free_bytes() const {
  const std::lock_guard lock(mutex_);
  return free_bytes_;
}

Result<void> download(BufferPool& pool, const DeviceBuffer& buffer, std::uint64_t offset,
                      std::span<std::byte> bytes, const Wait& wait) {
  Result<PooledBuffer> staging = pool.take(buffer.device(), staging_bytes(bytes.size()), kStagingUsage);
  if (!staging) {
    return tl::unexpected(staging.error());
  }
  Result<void> copied = download(buffer, offset, bytes, staging->get(), wait);
  if (!copied) {
    staging->discard();  // it may be mapped still
  }
  return copied;
}

}  // namespace wgemm::native
