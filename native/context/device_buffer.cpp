#include "native/context/device_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "core/round_up.hpp"
#include "native/context/error_scope.hpp"
#include "native/context/pending.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

/// Copies go in pieces, so that staging memory stays small beside large matrices.
constexpr std::uint64_t kPiece = std::uint64_t{64} << 20;

std::atomic<std::uint64_t> next_id{1};

Result<void> check_range(const DeviceBuffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
  if (offset % 4 != 0) {
    return fail(ErrorCode::invalid_argument, "offset",
                fmt::format("offset {} into a device buffer is no multiple of 4", offset));
  }
  if (offset > buffer.size() || round_up(bytes, 4) > buffer.size() - offset) {
    return fail(ErrorCode::invalid_argument, "bytes",
                fmt::format("{} bytes at offset {} do not fit a device buffer of {} bytes", bytes, offset,
                            buffer.size()));
  }
  return {};
}

}  // namespace

Result<DeviceBuffer> DeviceBuffer::create(std::shared_ptr<Device> device, std::uint64_t bytes,
                                          WGPUBufferUsage usage) {
  const std::uint64_t limit = device->profile().limits.max_buffer_size;
  if (bytes > limit) {
    return fail(ErrorCode::unsupported, "max_buffer_size",
                fmt::format("a buffer of {} bytes is over the device's limit of {} bytes", bytes, limit));
  }
  WGPUBufferDescriptor descriptor{};
  descriptor.size = std::max<std::uint64_t>(round_up(bytes, 4), 4);
  descriptor.usage = usage;
  ErrorScope scope(*device);
  DeviceBuffer buffer;
  buffer.handle_ = {device->gpu().DeviceCreateBuffer(device->get(), &descriptor),
                    device->gpu().BufferRelease};
  if (Result<void> closed = scope.close(ErrorCode::validation, fmt::format("a buffer of {} bytes", bytes));
      !closed) {
    return tl::unexpected(closed.error());
  }
  if (!buffer.handle_) {
    return fail(ErrorCode::out_of_memory, "", fmt::format("the device has no {} bytes left", bytes));
  }
  buffer.size_ = descriptor.size;
  buffer.id_ = next_id.fetch_add(1);
  buffer.count_ = Counted(device->counts(), &LiveCounts::buffers);
  buffer.bytes_ = Counted(device->counts(), &LiveCounts::bytes, buffer.size_);
  buffer.device_ = std::move(device);
  return buffer;
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device_(std::move(other.device_)),
      handle_(std::move(other.handle_)),
      size_(std::exchange(other.size_, 0)),
      id_(std::exchange(other.id_, 0)),
      count_(std::move(other.count_)),
      bytes_(std::move(other.bytes_)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(handle_, other.handle_);
  std::swap(size_, other.size_);
  std::swap(id_, other.id_);
  std::swap(count_, other.count_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (device_ && handle_) {
    device_->gpu().BufferDestroy(handle_.get());
  }
}

std::uint64_t staging_bytes(std::uint64_t bytes) { return std::min(round_up(bytes, 4), kPiece); }

Result<void> upload(const DeviceBuffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes,
                    const Wait& wait) {
  if (Result<void> fits = check_range(buffer, offset, bytes.size()); !fits) {
    return fits;
  }
  Device& device = *buffer.device();
  const std::size_t whole = bytes.size() / 4 * 4;
  for (std::size_t done = 0; done < whole; done += kPiece) {
    if (Result<void> goes_on = wait.check(); !goes_on) {
      return goes_on;
    }
    if (done > 0) {
      if (Result<void> flushed = device.flush_writes(wait); !flushed) {
        return flushed;
      }
    }
    const std::size_t size = std::min<std::size_t>(whole - done, kPiece);
    if (Result<void> written = device.write(buffer.get(), offset + done, bytes.data() + done, size);
        !written) {
      return written;
    }
  }
  if (whole < bytes.size()) {
    std::array<std::byte, 4> tail{};
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), tail.begin());
    if (Result<void> written = device.write(buffer.get(), offset + whole, tail.data(), tail.size());
        !written) {
      return written;
    }
  }
  return device.check();
}

Result<void> read_mappable(const DeviceBuffer& staging, std::span<std::byte> bytes, const Wait& wait) {
  struct Answer {
    bool mapped = false;
    std::string message;
  };
  Device& device = *staging.device();
  const std::uint64_t size = round_up(bytes.size(), 4);
  Pending<Answer> pending;
  WGPUBufferMapCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = pending.ticket();
  callback.callback = [](WGPUMapAsyncStatus status, WGPUStringView message, void* ticket, void* /*unused*/) {
    Pending<Answer>::arrive(ticket, {status == WGPUMapAsyncStatus_Success, std::string(to_view(message))});
  };
  device.gpu().BufferMapAsync(staging.get(), WGPUMapMode_Read, 0, size, callback);
  if (Result<void> waited = device.wait_for(pending.arrived(), wait); !waited) {
    return waited;
  }
  if (Result<void> checked = device.check(); !checked) {
    return checked;
  }
  const void* mapped =
      pending.value().mapped ? device.gpu().BufferGetConstMappedRange(staging.get(), 0, size) : nullptr;
  if (mapped == nullptr) {
    return fail(
        to_code(WGPUErrorType_Validation, pending.value().message), "",
        fmt::format("the device gave no access to {} bytes: {}", size, shorten(pending.value().message)));
  }
  std::memcpy(bytes.data(), mapped, bytes.size());
  device.gpu().BufferUnmap(staging.get());
  return {};
}

Result<void> download(const DeviceBuffer& buffer, std::uint64_t offset, std::span<std::byte> bytes,
                      const DeviceBuffer& staging, const Wait& wait) {
  if (Result<void> fits = check_range(buffer, offset, bytes.size()); !fits || bytes.empty()) {
    return fits;
  }
  const std::shared_ptr<Device>& device = buffer.device();
  const Functions& gpu = device->gpu();
  const std::uint64_t piece_bytes = std::min(staging.size(), kPiece);
  for (std::uint64_t done = 0; done < bytes.size(); done += piece_bytes) {
    const std::span<std::byte> piece =
        bytes.subspan(done, std::min<std::uint64_t>(bytes.size() - done, piece_bytes));
    if (Result<void> goes_on = wait.check(); !goes_on) {
      return goes_on;
    }
    // A lost device makes no encoder.
    if (Result<void> alive = device->check_alive(); !alive) {
      return alive;
    }
    const Handle<WGPUCommandEncoder> encoder(gpu.DeviceCreateCommandEncoder(device->get(), nullptr),
                                             gpu.CommandEncoderRelease);
    gpu.CommandEncoderCopyBufferToBuffer(encoder.get(), buffer.get(), offset + done, staging.get(), 0,
                                         round_up(piece.size(), 4));
    const Handle<WGPUCommandBuffer> commands(gpu.CommandEncoderFinish(encoder.get(), nullptr),
                                             gpu.CommandBufferRelease);
    if (Result<void> submitted = device->submit(commands.get()); !submitted) {
      return submitted;
    }
    if (Result<void> read = read_mappable(staging, piece, wait); !read) {
      return read;
    }
  }
  return {};
}

}  // namespace wgemm::native
