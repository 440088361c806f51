// How a device is lost on purpose.
#pragma once

#include "native/context/context_impl.hpp"

namespace wgemm {

inline void lose(Context& context) {
  using ForceLoss = void (*)(WGPUDevice, WGPUDeviceLostReason, WGPUStringView);
  native::Device& device = native::Access::device(context);
  if (auto* force = reinterpret_cast<ForceLoss>(device.library().symbol("wgpuDeviceForceLoss"));
      force != nullptr) {
    force(device.get(), WGPUDeviceLostReason_Unknown, {"a test", WGPU_STRLEN});
  } else {
    device.gpu().DeviceDestroy(device.get());
  }
}

}  // namespace wgemm
