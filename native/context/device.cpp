#include "native/context/device.hpp"
#include "core/kernels/deny_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "native/adapter/profile.hpp"
#include "native/context/error_scope.hpp"
#include "native/context/pending.hpp"
#include "native/context/requirements.hpp"
#include "native/library/severity.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

struct DeviceAnswer {
  WGPUDevice device = nullptr;
  std::string message;
};

void on_uncaptured_error(const WGPUDevice* /*device*/, WGPUErrorType type, WGPUStringView message,
                         void* errors, void* /*unused*/) {
  auto* const out = static_cast<DeviceErrors*>(errors);
  if (!ErrorScope::take(*out, type, to_view(message))) {
    out->record(type, to_view(message));
  }
}

void on_lost(const WGPUDevice* /*device*/, WGPUDeviceLostReason /*reason*/, WGPUStringView message,
             void* errors, void* /*unused*/) {
  static_cast<DeviceErrors*>(errors)->lose(to_view(message));
}

void on_dawn_message(DawnLoggingType type, WGPUStringView message, void* log, void* /*unused*/) {
  if (const auto& callback = *static_cast<LogCallback*>(log); callback) {
    callback(to_severity(type), to_view(message));
  }
}

}  // namespace

Result<std::shared_ptr<Device>> Device::open(Adapter adapter, const ContextOptions& options) {
  auto opened = std::make_shared<Device>();
  Library& library = adapter.instance->library();
  const Functions& gpu = library.functions();
  opened->timeout_ = options.timeout;
  opened->log_ = options.log;
  opened->listener_ = LogHub::Listener(library.log(), options.log);
  opened->profile_ = options.minimum_limits ? with_minimum_limits(adapter.profile) : adapter.profile;
  opened->profile_.unchecked_shaders = options.unchecked_shaders;

  const std::shared_ptr<const Requirements> needs = requirements(
      library, adapter.handle.get(), adapter.features, options.minimum_limits, options.unchecked_shaders);
  WGPUDeviceDescriptor descriptor = needs->descriptor;
  descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowSpontaneous;
  descriptor.deviceLostCallbackInfo.callback = &on_lost;
  descriptor.deviceLostCallbackInfo.userdata1 = opened->errors_.get();
  descriptor.uncapturedErrorCallbackInfo.callback = &on_uncaptured_error;
  descriptor.uncapturedErrorCallbackInfo.userdata1 = opened->errors_.get();

  opened->cache_ = DawnCache::open(library, adapter.profile, options);
  if (opened->cache_) {
    descriptor.nextInChain = opened->cache_->chain(descriptor.nextInChain);
  }

  const std::string name = adapter.profile.name;
  opened->adapter_ = std::move(adapter);
  Pending<DeviceAnswer> pending;
  WGPURequestDeviceCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = pending.ticket();
  callback.callback = [](WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                         void* ticket, void* /*unused*/) {
    Pending<DeviceAnswer>::arrive(ticket, {status == WGPURequestDeviceStatus_Success ? device : nullptr,
                                           std::string(to_view(message))});
  };
  gpu.AdapterRequestDevice(opened->adapter_.handle.get(), &descriptor, callback);
  if (Result<void> waited = opened->wait_for(pending.arrived(), {}); !waited) {
    return tl::unexpected(waited.error());
  }
  opened->device_ = {pending.value().device, gpu.DeviceRelease};
  if (!opened->device_) {
    return fail(ErrorCode::unsupported, "adapter",
                fmt::format("{} opens no device: {}", name, shorten(pending.value().message)));
  }
  opened->queue_ = {gpu.DeviceGetQueue(opened->get()), gpu.QueueRelease};
  if (gpu.DeviceSetLoggingCallback != nullptr) {
    gpu.DeviceSetLoggingCallback(opened->get(), {nullptr, &on_dawn_message, &opened->log_, nullptr});
  }
  WGPULimits granted{};
  gpu.DeviceGetLimits(opened->get(), &granted);
  opened->profile_.limits = to_limits(granted);
  if (library.capabilities().tells_loss) {
    opened->lost_ = gpu.DeviceGetLostFuture(opened->get());
  }
  return opened;
}

void Device::pump() {
  if (library().capabilities().polls_device && device_) {
    gpu().DevicePoll(get(), 0, nullptr);
  } else {
    gpu().InstanceProcessEvents(adapter_.instance->get());
  }
}

void Device::deny(const MatrixConfig& config, std::string_view reason) {
  const std::lock_guard lock(denial_mutex_);
  denials_.push_back(profile());
  kernels::deny(denials_.back(), config, reason);
  current_profile_ = &denials_.back();
}

Result<void> Device::check_alive() {
  if (library().capabilities().tells_loss) {
    WGPUFutureWaitInfo info{lost_, 0};
    gpu().InstanceWaitAny(adapter_.instance->get(), 1, &info, 0);
    if (info.completed != 0) {
      errors_->lose("the library says so");
    }
  } else if (external_) {
    // A cheap call that reports a loss as an error instead of ending the process.
    ErrorScope scope(*this);
    const Handle<WGPUCommandEncoder> encoder(gpu().DeviceCreateCommandEncoder(get(), nullptr),
                                             gpu().CommandEncoderRelease);
    const Handle<WGPUCommandBuffer> commands(gpu().CommandEncoderFinish(encoder.get(), nullptr),
                                             gpu().CommandBufferRelease);
    return scope.close(ErrorCode::device_lost, "the device is lost");
  } else if (library().capabilities().aborts_when_lost) {
    const Handle<WGPUCommandEncoder> encoder(gpu().DeviceCreateCommandEncoder(get(), nullptr),
                                             gpu().CommandEncoderRelease);
  }
  return check();
}

Result<void> Device::submit(WGPUCommandBuffer commands) {
  if (Result<void> alive = check_alive(); !alive) {
    return alive;
  }
  if (external_) {
    ErrorScope scope(*this);
    gpu().QueueSubmit(queue(), 1, &commands);
    return scope.close(ErrorCode::validation, "a submission");
  }
  gpu().QueueSubmit(queue(), 1, &commands);
  return {};
}

Result<void> Device::write(WGPUBuffer buffer, std::uint64_t offset, const void* data, std::size_t bytes) {
  if (Result<void> alive = check_alive(); !alive) {
    return alive;
  }
  gpu().QueueWriteBuffer(queue(), buffer, offset, data, bytes);
  return {};
}

Result<void> Device::flush_writes(const Wait& wait) {
  if (Result<void> alive = check_alive(); !alive) {
    return alive;
  }
  gpu().QueueSubmit(queue(), 0, nullptr);
  return drain(wait);
}

Result<void> Device::wait_for(const std::atomic<bool>& arrived, const Wait& wait) {
  // Spins at first, since most answers come within microseconds; then sleeps a twentieth of what it has
  // waited, so that the wait adds at most that much and leaves the processor to a software adapter.
  constexpr auto kSpin = std::chrono::microseconds(100);
  constexpr auto kShortest = std::chrono::microseconds(20);
  constexpr auto kLongest = std::chrono::microseconds(1000);
  const auto start = Wait::Clock::now();
  while (!arrived.load(std::memory_order_acquire)) {
    pump();
    if (arrived.load(std::memory_order_acquire)) {
      break;
    }
    if (Result<void> goes_on = wait.check(start, timeout_); !goes_on) {
      if (std::optional<Error> error = errors_->take(); error) {
        return tl::unexpected(*error);
      }
      return goes_on;
    }
    const auto waited = Wait::Clock::now() - start;
    if (waited > kSpin) {
      const auto nap = std::chrono::duration_cast<std::chrono::microseconds>(waited / 20);
      std::this_thread::sleep_for(std::clamp(nap, kShortest, kLongest));
    } else {
      std::this_thread::yield();
    }
  }
  return {};
}

Result<void> Device::drain(const Wait& wait) {
  Pending<bool> pending;
  WGPUQueueWorkDoneCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = pending.ticket();
  callback.callback = [](WGPUQueueWorkDoneStatus status, WGPUStringView /*message*/, void* ticket,
                         void* /*unused*/) {
    Pending<bool>::arrive(ticket, status == WGPUQueueWorkDoneStatus_Success);
  };
  gpu().QueueOnSubmittedWorkDone(queue(), callback);
  if (Result<void> waited = wait_for(pending.arrived(), wait); !waited) {
    return waited;
  }
  if (Result<void> alive = check_alive(); !alive) {
    return alive;
  }
  if (!pending.value()) {
    return fail(
        ErrorCode::device_lost, "",
        "the device did not finish its work; Context::reopen opens it anew, and an application adopts a new "
        "device of its own");
  }
  return {};
}

Result<void> Device::check() {
  if (std::optional<Error> error = errors_->take(); error) {
    return tl::unexpected(std::move(*error));
  }
  return {};
}

}  // namespace wgemm::native
