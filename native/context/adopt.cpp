// Devices of the application's.
#include <fmt/format.h>

#include "native/adapter/profile.hpp"
#include "native/context/device.hpp"
#include "wgemm/webgpu.hpp"

namespace wgemm::native {

namespace {

std::vector<WGPUFeatureName> features_of(const Functions& gpu, WGPUDevice device) {
  WGPUSupportedFeatures supported{};
  gpu.DeviceGetFeatures(device, &supported);
  std::vector<WGPUFeatureName> features(supported.features, supported.features + supported.featureCount);
  gpu.SupportedFeaturesFreeMembers(supported);
  return features;
}

Result<void> check_handles(const webgpu::ExternalDevice& external) {
  const char* missing = external.instance == nullptr                       ? "instance"
                        : external.device == nullptr                       ? "device"
                        : external.adapter == nullptr && !external.profile ? "adapter"
                                                                           : nullptr;
  if (missing != nullptr) {
    return fail(ErrorCode::invalid_argument, missing,
                fmt::format("the external device has no {}; instance, device, and adapter or profile are "
                            "needed",
                            missing));
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<Device>> Device::adopt(Library& library, const webgpu::ExternalDevice& external,
                                              const ContextOptions& options) {
  if (Result<void> complete = check_handles(external); !complete) {
    return tl::unexpected(complete.error());
  }
  const Functions& gpu = library.functions();
  auto adopted = std::make_shared<Device>();
  adopted->external_ = true;
  adopted->timeout_ = options.timeout;
  adopted->log_ = options.log;
  adopted->listener_ = LogHub::Listener(library.log(), options.log);
  adopted->adapter_.instance = Instance::adopt(library, external.instance);
  if (external.adapter != nullptr) {
    gpu.AdapterAddRef(external.adapter);
    adopted->adapter_.handle = {external.adapter, gpu.AdapterRelease};
  }
  gpu.DeviceAddRef(external.device);
  adopted->device_ = {external.device, gpu.DeviceRelease};
  WGPUQueue queue = external.queue;
  if (queue != nullptr) {
    gpu.QueueAddRef(queue);
  } else {
    queue = gpu.DeviceGetQueue(external.device);
  }
  adopted->queue_ = {queue, gpu.QueueRelease};
  adopted->adapter_.features = features_of(gpu, external.device);
  WGPULimits limits{};
  gpu.DeviceGetLimits(external.device, &limits);
  adopted->profile_ = device_profile(library, external.profile, external.adapter, adopted->adapter_.features,
                                     to_limits(limits));
  adopted->profile_.unchecked_shaders = external.unchecked_shaders;
  if (library.capabilities().tells_loss) {
    adopted->lost_ = gpu.DeviceGetLostFuture(external.device);
  }
  if (Result<void> alive = adopted->check_alive(); !alive) {
    return tl::unexpected(alive.error());
  }
  return adopted;
}

}  // namespace wgemm::native
