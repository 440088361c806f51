// An application that has a WebGPU device of its own: it makes the device as wgemm likes it, keeps its
// buffers, and has the product recorded between its own commands. Linked with a WebGPU library; wgemm calls
// the same one.
#include <dlfcn.h>
#include <webgpu.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "wgemm/environment.hpp"
#include "wgemm/webgpu.hpp"

namespace {

constexpr std::size_t kSize = 96;
constexpr std::size_t kBytes = kSize * kSize * sizeof(float);

void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

template <typename T>
T must(wgemm::Result<T> result) {
  if (!result) fail(result.error().message.c_str());
  return std::move(*result);
}

/// Lets events arrive until a callback has come.
void wait(WGPUInstance instance, const bool& arrived) {
  while (!arrived) wgpuInstanceProcessEvents(instance);
}

template <typename Handle>
struct Answer {
  Handle handle = nullptr;
  bool arrived = false;
};

WGPUAdapter request_adapter(WGPUInstance instance) {
  Answer<WGPUAdapter> answer;
  WGPURequestAdapterOptions options{};
  options.nextInChain = const_cast<WGPUChainedStruct*>(wgemm::webgpu::dawn_toggles());
  options.powerPreference = WGPUPowerPreference_HighPerformance;
  WGPURequestAdapterCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = &answer;
  callback.callback = [](WGPURequestAdapterStatus, WGPUAdapter adapter, WGPUStringView, void* out, void*) {
    *static_cast<Answer<WGPUAdapter>*>(out) = {adapter, true};
  };
  wgpuInstanceRequestAdapter(instance, &options, callback);
  wait(instance, answer.arrived);
  if (answer.handle == nullptr) fail("there is no adapter");
  return answer.handle;
}

WGPUDevice request_device(WGPUInstance instance, WGPUAdapter adapter,
                          const wgemm::webgpu::LibrarySource& library) {
  // Features, limits and toggles of the fast paths; callbacks and whatever else it needs are the
  // application's.
  const auto requirements = must(wgemm::webgpu::device_requirements(adapter, library));
  WGPUDeviceDescriptor descriptor = requirements.descriptor();
  descriptor.uncapturedErrorCallbackInfo.callback = [](const WGPUDevice*, WGPUErrorType,
                                                       WGPUStringView message, void*, void*) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(message.length), message.data);
  };
  Answer<WGPUDevice> answer;
  WGPURequestDeviceCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = &answer;
  callback.callback = [](WGPURequestDeviceStatus, WGPUDevice device, WGPUStringView, void* out, void*) {
    *static_cast<Answer<WGPUDevice>*>(out) = {device, true};
  };
  wgpuAdapterRequestDevice(adapter, &descriptor, callback);
  wait(instance, answer.arrived);
  if (answer.handle == nullptr) fail("the adapter gave no device");
  return answer.handle;
}

WGPUBuffer make_buffer(WGPUDevice device, WGPUBufferUsage usage) {
  WGPUBufferDescriptor descriptor{};
  descriptor.size = kBytes;
  descriptor.usage = usage;
  return wgpuDeviceCreateBuffer(device, &descriptor);
}

}  // namespace

int main() {
  wgemm::prepare_environment();
  WGPUInstanceDescriptor instance_descriptor{};
  instance_descriptor.nextInChain = const_cast<WGPUChainedStruct*>(wgemm::webgpu::dawn_toggles());
  WGPUInstance instance = wgpuCreateInstance(&instance_descriptor);
  WGPUAdapter adapter = request_adapter(instance);
  const wgemm::webgpu::LibrarySource library{[](const char* name) { return dlsym(RTLD_DEFAULT, name); }};
  WGPUDevice device = request_device(instance, adapter, library);
  WGPUQueue queue = wgpuDeviceGetQueue(device);
  constexpr auto kStorage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc;
  WGPUBuffer a = make_buffer(device, kStorage);
  WGPUBuffer b = make_buffer(device, kStorage);
  WGPUBuffer c = make_buffer(device, kStorage);
  WGPUBuffer staging = make_buffer(device, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
  const std::vector<float> ones(kSize * kSize, 1.0F);
  const std::vector<float> twos(kSize * kSize, 2.0F);
  wgpuQueueWriteBuffer(queue, a, 0, ones.data(), kBytes);
  wgpuQueueWriteBuffer(queue, b, 0, twos.data(), kBytes);

  {
    auto context = must(wgemm::webgpu::adopt(
        {.library = library, .instance = instance, .adapter = adapter, .device = device, .queue = queue}));
    wgemm::Problem problem;
    problem.m = problem.n = problem.k = kSize;
    auto prepared = must(context.prepare(problem));

    // The application's own commands, with the product among them.
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device, nullptr);
    const wgemm::webgpu::Operands operands{.a = {a, 0, kBytes}, .b = {b, 0, kBytes}, .c = {c, 0, kBytes}};
    if (const auto done = wgemm::webgpu::record(context, prepared, operands, encoder); !done) {
      fail(done.error().message.c_str());
    }
    wgpuCommandEncoderCopyBufferToBuffer(encoder, c, 0, staging, 0, kBytes);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, nullptr);
    wgpuQueueSubmit(queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
  }

  bool mapped = false;
  WGPUBufferMapCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = &mapped;
  callback.callback = [](WGPUMapAsyncStatus, WGPUStringView, void* out, void*) {
    *static_cast<bool*>(out) = true;
  };
  wgpuBufferMapAsync(staging, WGPUMapMode_Read, 0, kBytes, callback);
  wait(instance, mapped);
  float first = 0;
  std::memcpy(&first, wgpuBufferGetConstMappedRange(staging, 0, kBytes), sizeof first);
  std::printf("%g\n", first);  // 192
  for (WGPUBuffer buffer : {a, b, c, staging}) wgpuBufferRelease(buffer);
  wgpuQueueRelease(queue);
  wgpuDeviceRelease(device);
  wgpuAdapterRelease(adapter);
  wgpuInstanceRelease(instance);
  return first == 2.0F * kSize ? 0 : 1;
}
