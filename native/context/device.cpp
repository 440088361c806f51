#include "native/context/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <thread>

#include "native/adapter/profile.hpp"
#include "native/adapter/toggles.hpp"
#include "native/context/pending.hpp"
#include "native/library/severity.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

using Clock = std::chrono::steady_clock;

struct DeviceAnswer {
  WGPUDevice device = nullptr;
  std::string message;
};

struct ScopeAnswer {
  WGPUErrorType type = WGPUErrorType_NoError;
  std::string message;
};

constexpr std::array kScopes = {WGPUErrorFilter_OutOfMemory, WGPUErrorFilter_Validation,
                                WGPUErrorFilter_Internal};

/// The scopes that the device's library takes.
std::span<const WGPUErrorFilter> scopes(const Device& device) {
  const bool internal = device.library().capabilities().internal_error_scopes;
  return std::span(kScopes).first(internal ? kScopes.size() : kScopes.size() - 1);
}

std::vector<WGPUFeatureName> features_to_request(const Adapter& adapter, bool minimum) {
  const LibraryKind kind = adapter.instance->library().kind();
  std::vector<WGPUFeatureName> wanted = {WGPUFeatureName_TimestampQuery};
  if (!minimum) {
    wanted.insert(wanted.end(), {WGPUFeatureName_ShaderF16, subgroup_feature(kind)});
    if (kind == LibraryKind::dawn) {
      wanted.push_back(kDawnSubgroupMatrixFeature);
    }
  }
  std::erase_if(wanted, [&](WGPUFeatureName feature) {
    return std::ranges::find(adapter.features, feature) == adapter.features.end();
  });
  return wanted;
}

void on_uncaptured_error(const WGPUDevice* /*device*/, WGPUErrorType type, WGPUStringView message,
                         void* errors, void* /*unused*/) {
  static_cast<DeviceErrors*>(errors)->record(type, to_view(message));
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
  const bool dawn = library.kind() == LibraryKind::dawn;
  opened->timeout_ = options.timeout;
  opened->unchecked_shaders_ = options.unchecked_shaders;
  opened->log_ = options.log;
  opened->listener_ = LogHub::Listener(library.log(), options.log);
  opened->profile_ = options.minimum_limits ? with_minimum_limits(adapter.profile) : adapter.profile;

  const std::vector<WGPUFeatureName> features = features_to_request(adapter, options.minimum_limits);
  WGPULimits limits{};
  gpu.AdapterGetLimits(adapter.handle.get(), &limits);
  limits.nextInChain = nullptr;
  DawnToggles toggles = dawn_toggles(options.unchecked_shaders);
  WGPUDeviceDescriptor descriptor{};
  descriptor.nextInChain = dawn ? &toggles.chain : nullptr;
  descriptor.label = from_view("wgemm");
  descriptor.requiredFeatureCount = features.size();
  descriptor.requiredFeatures = features.data();
  descriptor.requiredLimits = options.minimum_limits ? nullptr : &limits;
  descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowSpontaneous;
  descriptor.deviceLostCallbackInfo.callback = &on_lost;
  descriptor.deviceLostCallbackInfo.userdata1 = opened->errors_.get();
  descriptor.uncapturedErrorCallbackInfo.callback = &on_uncaptured_error;
  descriptor.uncapturedErrorCallbackInfo.userdata1 = opened->errors_.get();

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
  if (Result<void> waited = opened->wait_for(pending.arrived()); !waited) {
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
  return opened;
}

void Device::pump() {
  if (library().capabilities().polls_device && device_) {
    gpu().DevicePoll(get(), 0, nullptr);
  } else {
    gpu().InstanceProcessEvents(adapter_.instance->get());
  }
}

Result<void> Device::check_alive() {
  if (library().capabilities().aborts_when_lost) {
    // The cheapest call that reports a loss as an error instead of ending the process.
    const Handle<WGPUCommandEncoder> encoder(gpu().DeviceCreateCommandEncoder(get(), nullptr),
                                             gpu().CommandEncoderRelease);
  }
  return check();
}

Result<void> Device::submit(WGPUCommandBuffer commands) {
  if (Result<void> alive = check_alive(); !alive) {
    return alive;
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

Result<void> Device::flush_writes() {
  if (Result<void> alive = check_alive(); !alive) {
    return alive;
  }
  gpu().QueueSubmit(queue(), 0, nullptr);
  return drain();
}

Result<void> Device::wait_for(const std::atomic<bool>& arrived) {
  // Spins at first, since most answers come within microseconds; then sleeps a twentieth of what it has
  // waited, so that the wait adds at most that much and leaves the processor to a software adapter.
  constexpr auto kSpin = std::chrono::microseconds(100);
  constexpr auto kShortest = std::chrono::microseconds(20);
  constexpr auto kLongest = std::chrono::microseconds(1000);
  const auto start = Clock::now();
  while (true) {
    pump();
    if (arrived.load(std::memory_order_acquire)) {
      return {};
    }
    const auto waited = Clock::now() - start;
    if (waited > timeout_) {
      if (std::optional<Error> error = errors_->take(); error) {
        return tl::unexpected(*error);
      }
      return fail(ErrorCode::timeout, "timeout",
                  fmt::format("the device did not answer within {} ms", timeout_.count()));
    }
    if (waited > kSpin) {
      const auto nap = std::chrono::duration_cast<std::chrono::microseconds>(waited / 20);
      std::this_thread::sleep_for(std::clamp(nap, kShortest, kLongest));
    } else {
      std::this_thread::yield();
    }
  }
}

Result<void> Device::drain() {
  Pending<bool> pending;
  WGPUQueueWorkDoneCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = pending.ticket();
  callback.callback = [](WGPUQueueWorkDoneStatus status, WGPUStringView /*message*/, void* ticket,
                         void* /*unused*/) {
    Pending<bool>::arrive(ticket, status == WGPUQueueWorkDoneStatus_Success);
  };
  gpu().QueueOnSubmittedWorkDone(queue(), callback);
  if (Result<void> waited = wait_for(pending.arrived()); !waited) {
    return waited;
  }
  if (Result<void> checked = check(); !checked) {
    return checked;
  }
  if (!pending.value()) {
    return fail(ErrorCode::device_lost, "", "the device did not finish its work; make a new context");
  }
  return {};
}

Result<void> Device::check() {
  if (std::optional<Error> error = errors_->take(); error) {
    return tl::unexpected(std::move(*error));
  }
  return {};
}

ErrorScope::ErrorScope(Device& device) : device_(&device) {
  for (const WGPUErrorFilter filter : scopes(device)) {
    device.gpu().DevicePushErrorScope(device.get(), filter);
  }
}

ErrorScope::~ErrorScope() {
  if (open_) {
    static_cast<void>(close(ErrorCode::validation, ""));
  }
}

Result<void> ErrorScope::close(ErrorCode refusal, std::string_view what) {
  open_ = false;
  std::optional<Error> first;
  for (std::size_t i = 0; i < scopes(*device_).size(); ++i) {
    Pending<ScopeAnswer> pending;
    WGPUPopErrorScopeCallbackInfo callback{};
    callback.mode = WGPUCallbackMode_AllowProcessEvents;
    callback.userdata1 = pending.ticket();
    callback.callback = [](WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                           void* ticket, void* /*unused*/) {
      const bool told = status == WGPUPopErrorScopeStatus_Success;
      Pending<ScopeAnswer>::arrive(ticket,
                                   {told ? type : WGPUErrorType_NoError, std::string(to_view(message))});
    };
    device_->gpu().DevicePopErrorScope(device_->get(), callback);
    if (Result<void> waited = device_->wait_for(pending.arrived()); !waited) {
      return waited;
    }
    const ScopeAnswer& answer = pending.value();
    if (answer.type != WGPUErrorType_NoError && !first) {
      ErrorCode code = to_code(answer.type, answer.message);
      if (code == ErrorCode::device_lost) {
        device_->errors().lose(answer.message);
      }
      code = code == ErrorCode::validation ? refusal : code;
      first = Error{code, "", fmt::format("{}: {}", what, shorten(answer.message))};
    }
  }
  if (Result<void> checked = device_->check(); !checked) {
    return checked;
  }
  if (first) {
    return tl::unexpected(std::move(*first));
  }
  return {};
}

}  // namespace wgemm::native
