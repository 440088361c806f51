#include "application.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace wgemm {

Application::Application(const std::string& library, bool fast_paths)
    : library_(native::Library::open(library).value()) {
  auto instance = native::Instance::create(*library_, WGPUBackendType_Vulkan).value();
  adapter_ = std::move(native::enumerate_adapters(instance).front());
  auto requirements = webgpu::device_requirements(adapter(), {{}, library});
  EXPECT_TRUE(requirements) << requirements.error().message;
  WGPUDeviceDescriptor descriptor{};
  if (fast_paths) {
    descriptor = requirements->descriptor();
  }
  descriptor.uncapturedErrorCallbackInfo.userdata1 = &errors_;
  descriptor.uncapturedErrorCallbackInfo.callback = [](const WGPUDevice*, WGPUErrorType, WGPUStringView,
                                                       void* count,
                                                       void*) { ++*static_cast<std::atomic<int>*>(count); };
  struct Answer {
    WGPUDevice device = nullptr;
    std::atomic<bool> arrived{false};
  } answer;
  WGPURequestDeviceCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = &answer;
  callback.callback = [](WGPURequestDeviceStatus, WGPUDevice device, WGPUStringView, void* out, void*) {
    static_cast<Answer*>(out)->device = device;
    static_cast<Answer*>(out)->arrived = true;
  };
  gpu().AdapterRequestDevice(adapter(), &descriptor, callback);
  while (!answer.arrived) {
    gpu().InstanceProcessEvents(adapter_.instance->get());
  }
  device_ = answer.device;
  EXPECT_NE(device_, nullptr);
  queue_ = gpu().DeviceGetQueue(device_);
}

Application::~Application() {
  gpu().QueueRelease(queue_);
  gpu().DeviceRelease(device_);
}

webgpu::ExternalDevice Application::handles() const {
  webgpu::ExternalDevice external;
  external.library.name = library_->path();
  external.instance = adapter_.instance->get();
  external.adapter = adapter();
  external.device = device_;
  external.queue = queue_;
  return external;
}

webgpu::LibrarySource Application::loader() const {
  return {[library = library_](const char* name) { return library->symbol(name); }, ""};
}

WGPUBuffer Application::buffer(std::uint64_t bytes, WGPUBufferUsage usage) const {
  WGPUBufferDescriptor descriptor{};
  descriptor.size = bytes;
  descriptor.usage = usage;
  return gpu().DeviceCreateBuffer(device_, &descriptor);
}

WGPUBuffer Application::storage(std::span<const float> values, std::uint64_t offset,
                                std::uint64_t bytes) const {
  WGPUBuffer made =
      buffer(bytes, WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc);
  gpu().QueueWriteBuffer(queue_, made, offset, values.data(), values.size_bytes());
  return made;
}

void Application::submit(WGPUCommandEncoder encoder) const {
  WGPUCommandBuffer commands = gpu().CommandEncoderFinish(encoder, nullptr);
  gpu().QueueSubmit(queue_, 1, &commands);
  gpu().CommandBufferRelease(commands);
  gpu().CommandEncoderRelease(encoder);
}

void Application::wait_until(const std::atomic<bool>& arrived) const {
  while (!arrived) {
    if (gpu().DevicePoll != nullptr) {
      gpu().DevicePoll(device_, 0, nullptr);
    } else {
      gpu().InstanceProcessEvents(adapter_.instance->get());
    }
  }
}

std::vector<float> Application::contents(WGPUBuffer source, std::size_t count) const {
  const std::uint64_t bytes = count * sizeof(float);
  WGPUBuffer staging = buffer(bytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
  WGPUCommandEncoder copy = encoder();
  gpu().CommandEncoderCopyBufferToBuffer(copy, source, 0, staging, 0, bytes);
  submit(copy);
  std::atomic<bool> mapped{false};
  WGPUBufferMapCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = &mapped;
  callback.callback = [](WGPUMapAsyncStatus, WGPUStringView, void* out, void*) {
    *static_cast<std::atomic<bool>*>(out) = true;
  };
  gpu().BufferMapAsync(staging, WGPUMapMode_Read, 0, bytes, callback);
  wait_until(mapped);
  const auto* data = static_cast<const float*>(gpu().BufferGetConstMappedRange(staging, 0, bytes));
  std::vector<float> values(data, data + count);
  gpu().BufferUnmap(staging);
  gpu().BufferRelease(staging);
  return values;
}

}  // namespace wgemm
