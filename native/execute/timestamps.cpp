#include "native/execute/timestamps.hpp"

#include <cmath>
#include <numeric>

#include "native/context/error_scope.hpp"

namespace wgemm::native {

namespace {

constexpr std::uint32_t kQueries = 2 * Timestamps::kPasses;
constexpr std::uint64_t kStampBytes = 8;

}  // namespace

Result<Timestamps> Timestamps::create(const std::shared_ptr<Device>& device) {
  const Functions& gpu = device->gpu();
  Timestamps timestamps;
  timestamps.device_ = device;
  WGPUQuerySetDescriptor descriptor{};
  descriptor.type = WGPUQueryType_Timestamp;
  descriptor.count = kQueries;
  ErrorScope scope(*device);
  timestamps.queries_ = {gpu.DeviceCreateQuerySet(device->get(), &descriptor), gpu.QuerySetRelease};
  if (Result<void> closed = scope.close(ErrorCode::validation, "timestamp queries"); !closed) {
    return tl::unexpected(closed.error());
  }
  Result<DeviceBuffer> resolved = DeviceBuffer::create(
      device, kQueries * kStampBytes, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc);
  if (!resolved) {
    return tl::unexpected(resolved.error());
  }
  Result<DeviceBuffer> readable =
      DeviceBuffer::create(device, kQueries * kStampBytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
  if (!readable) {
    return tl::unexpected(readable.error());
  }
  timestamps.resolved_ = std::move(*resolved);
  timestamps.readable_ = std::move(*readable);
  if (device->library().capabilities().resolves_to_ticks) {
    timestamps.period_ns_ = gpu.QueueGetTimestampPeriod(device->queue());
  }
  return timestamps;
}

WGPUPassTimestampWrites Timestamps::writes(std::uint32_t pass) const {
  WGPUPassTimestampWrites writes{};
  writes.querySet = queries_.get();
  writes.beginningOfPassWriteIndex = 2 * pass;
  writes.endOfPassWriteIndex = 2 * pass + 1;
  return writes;
}

void Timestamps::resolve(WGPUCommandEncoder encoder, std::uint32_t passes) const {
  const Functions& gpu = device_->gpu();
  gpu.CommandEncoderResolveQuerySet(encoder, queries_.get(), 0, 2 * passes, resolved_.get(), 0);
  gpu.CommandEncoderCopyBufferToBuffer(encoder, resolved_.get(), 0, readable_.get(), 0,
                                       kStampBytes * 2 * passes);
}

Result<std::vector<double>> Timestamps::read(std::uint32_t passes) const {
  std::vector<std::uint64_t> ticks(2 * std::size_t{passes});
  if (Result<void> read = read_mappable(readable_, std::as_writable_bytes(std::span(ticks))); !read) {
    return tl::unexpected(read.error());
  }
  return to_nanoseconds(ticks, period_ns_);
}

std::vector<double> to_nanoseconds(std::span<const std::uint64_t> stamps, double period_ns) {
  std::vector<double> times;
  times.reserve(stamps.size());
  for (const std::uint64_t stamp : stamps) {
    times.push_back(static_cast<double>(static_cast<std::int64_t>(stamp - stamps.front())) * period_ns);
  }
  return times;
}

std::uint32_t add_spans(std::span<const double> stamps, std::span<const std::size_t> passes,
                        std::span<double> step_ms) {
  std::uint32_t backward = 0;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const double ns = stamps[2 * i + 1] - stamps[2 * i];
    if (ns < 0) {
      ++backward;
    } else {
      step_ms[passes[i]] += ns * 1e-6;
    }
  }
  return backward;
}

double common_step(std::span<const double> stamps) {
  std::uint64_t divisor = 0;
  for (const double stamp : stamps) {
    divisor = std::gcd(divisor, static_cast<std::uint64_t>(std::llround(std::abs(stamp))));
  }
  return static_cast<double>(divisor);
}

Result<double> observe_quantum(Device& device, const Timestamps& timestamps) {
  constexpr std::uint32_t kEmptyPasses = 16;
  const Functions& gpu = device.gpu();
  const Handle<WGPUCommandEncoder> encoder(gpu.DeviceCreateCommandEncoder(device.get(), nullptr),
                                           gpu.CommandEncoderRelease);
  for (std::uint32_t i = 0; i < kEmptyPasses; ++i) {
    const WGPUPassTimestampWrites writes = timestamps.writes(i);
    WGPUComputePassDescriptor descriptor{};
    descriptor.timestampWrites = &writes;
    const Handle<WGPUComputePassEncoder> pass(gpu.CommandEncoderBeginComputePass(encoder.get(), &descriptor),
                                              gpu.ComputePassEncoderRelease);
    gpu.ComputePassEncoderEnd(pass.get());
  }
  timestamps.resolve(encoder.get(), kEmptyPasses);
  const Handle<WGPUCommandBuffer> commands(gpu.CommandEncoderFinish(encoder.get(), nullptr),
                                           gpu.CommandBufferRelease);
  if (Result<void> submitted = device.submit(commands.get()); !submitted) {
    return tl::unexpected(submitted.error());
  }
  Result<std::vector<double>> stamps = timestamps.read(kEmptyPasses);
  if (!stamps) {
    return tl::unexpected(stamps.error());
  }
  return common_step(*stamps);
}

}  // namespace wgemm::native
