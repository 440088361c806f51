#include "native/adapter/instance.hpp"

#include <algorithm>

#include "native/adapter/backend.hpp"
#include "native/adapter/profile.hpp"
#include "native/adapter/toggles.hpp"
#include "native/library/stderr_capture.hpp"

namespace wgemm::native {

namespace {

/// The adapter that Dawn gives for one request, or nullptr; it answers during ProcessEvents at the latest.
WGPUAdapter request_adapter(const Instance& instance, WGPUPowerPreference preference, bool fallback) {
  const Functions& gpu = instance.library().functions();
  DawnToggles toggles = dawn_toggles(false);
  WGPURequestAdapterOptions options{};
  options.nextInChain = &toggles.chain;
  options.featureLevel = WGPUFeatureLevel_Core;
  options.powerPreference = preference;
  options.forceFallbackAdapter = fallback ? 1U : 0U;
  options.backendType = instance.backend();
  struct Answer {
    WGPUAdapter adapter = nullptr;
    bool arrived = false;
  } answer;
  WGPURequestAdapterCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = &answer;
  callback.callback = [](WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView /*message*/,
                         void* target, void* /*unused*/) {
    auto* out = static_cast<Answer*>(target);
    out->arrived = true;
    out->adapter = status == WGPURequestAdapterStatus_Success ? adapter : nullptr;
  };
  gpu.InstanceRequestAdapter(instance.get(), &options, callback);
  while (!answer.arrived) {
    gpu.InstanceProcessEvents(instance.get());
  }
  return answer.adapter;
}

std::vector<WGPUAdapter> ask_in_every_way(const Instance& instance) {
  std::vector<WGPUAdapter> adapters;
  for (const bool fallback : {false, true}) {
    for (const WGPUPowerPreference preference :
         {WGPUPowerPreference_HighPerformance, WGPUPowerPreference_LowPower}) {
      if (WGPUAdapter adapter = request_adapter(instance, preference, fallback); adapter != nullptr) {
        adapters.push_back(adapter);
      }
    }
  }
  return adapters;
}

std::vector<WGPUAdapter> list(const Instance& instance) {
  const Functions& gpu = instance.library().functions();
  const WgpuEnumerateOptions options{nullptr, wgpu_backend(instance.backend())};
  std::vector<WGPUAdapter> adapters(gpu.InstanceEnumerateAdapters(instance.get(), &options, nullptr));
  if (!adapters.empty()) {
    adapters.resize(gpu.InstanceEnumerateAdapters(instance.get(), &options, adapters.data()));
  }
  return adapters;
}

bool same_device(const DeviceProfile& left, const DeviceProfile& right) {
  return left.vendor_id == right.vendor_id && left.device_id == right.device_id &&
         left.driver == right.driver && left.name == right.name && left.backend == right.backend;
}

}  // namespace

Result<std::shared_ptr<Instance>> Instance::create(Library& library, WGPUBackendType backend) {
  auto instance = std::make_shared<Instance>();
  instance->library_ = &library;
  instance->backend_ = backend;
  WGPUInstanceDescriptor descriptor{};
  DawnToggles toggles = dawn_toggles(false);
  std::optional<DawnInstanceLogging> logging = library.instance_logging();
  WgpuInstanceExtras extras{};
  if (library.kind() == LibraryKind::dawn) {
    descriptor.nextInChain = logging ? logging->chain(&toggles.chain) : &toggles.chain;
  } else {
    extras.chain.sType = kWgpuInstanceExtras;
    extras.backends = wgpu_backend(backend);
    descriptor.nextInChain = &extras.chain;
  }
  const Functions& gpu = library.functions();
  const StderrCapture capture(library.log());
  instance->instance_ = {gpu.CreateInstance(&descriptor), gpu.InstanceRelease};
  if (!instance->instance_) {
    return fail(ErrorCode::unsupported, "webgpu",
                "the WebGPU library " + library.path() + " makes no instance");
  }
  return instance;
}

std::shared_ptr<Instance> Instance::adopt(Library& library, WGPUInstance instance) {
  auto adopted = std::make_shared<Instance>();
  adopted->library_ = &library;
  library.functions().InstanceAddRef(instance);
  adopted->instance_ = {instance, library.functions().InstanceRelease};
  return adopted;
}

std::vector<const DeviceProfile*> profiles_of(const std::vector<Adapter>& adapters) {
  std::vector<const DeviceProfile*> profiles;
  profiles.reserve(adapters.size());
  for (const Adapter& adapter : adapters) {
    profiles.push_back(&adapter.profile);
  }
  return profiles;
}

std::vector<Adapter> enumerate_adapters(const std::shared_ptr<Instance>& instance) {
  Library& library = instance->library();
  const StderrCapture capture(library.log());
  std::vector<Adapter> adapters;
  for (WGPUAdapter raw :
       library.capabilities().enumerates_adapters ? list(*instance) : ask_in_every_way(*instance)) {
    Adapter adapter;
    adapter.instance = instance;
    adapter.handle = {raw, library.functions().AdapterRelease};
    adapter.features = adapter_features(library, raw);
    adapter.profile = adapter_profile(library, raw, adapter.features);
    const bool known = std::ranges::any_of(
        adapters, [&](const Adapter& other) { return same_device(other.profile, adapter.profile); });
    if (!known) {
      adapters.push_back(std::move(adapter));
    }
  }
  return adapters;
}

}  // namespace wgemm::native
