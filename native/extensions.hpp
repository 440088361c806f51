// What Dawn and wgpu-native add to webgpu.h and wgemm uses: numbers and memory layouts of their extensions,
// as both publish them in their own headers. Kept here so that one binary, built against the standard
// webgpu.h, runs on either.
#pragma once

#include <webgpu.h>

#include <cstddef>
#include <cstdint>

namespace wgemm::native {

// ---- Dawn
// ------------------------------------------------------------------------------------------------------

inline constexpr auto kDawnInstanceDescriptor = static_cast<WGPUSType>(0x00050006);
inline constexpr auto kDawnCacheDeviceDescriptor = static_cast<WGPUSType>(0x00050007);
inline constexpr auto kDawnTogglesDescriptor = static_cast<WGPUSType>(0x0005000A);
inline constexpr auto kDawnSubgroupMatrixConfigs = static_cast<WGPUSType>(0x0005003B);
/// The library's own lock around a device, for calls from several threads.
inline constexpr auto kDawnThreadSafeFeature = static_cast<WGPUFeatureName>(0x00050004);
inline constexpr auto kDawnSubgroupMatrixFeature = static_cast<WGPUFeatureName>(0x00050034);

/// Chained to an instance, an adapter request or a device; a toggle acts at the stage that it belongs to.
struct DawnToggles {
  WGPUChainedStruct chain;
  std::size_t enabled_count;
  const char* const* enabled;
  std::size_t disabled_count;
  const char* const* disabled;
};

/// The bytes that were stored under the key, into `value`; how many there are, also without `value`.
using DawnLoadCacheData = std::size_t (*)(std::size_t key_size, const std::uint8_t* key,
                                          std::size_t value_size, std::uint8_t* value, void* userdata1,
                                          void* userdata2);
using DawnStoreCacheData = void (*)(std::size_t key_size, const std::uint8_t* key, std::size_t value_size,
                                    const std::uint8_t* value, void* userdata1, void* userdata2);

template <typename Callback>
struct DawnCacheCallbackInfo {
  WGPUChainedStruct* next;
  Callback callback;
  void* userdata1;
  void* userdata2;
};

/// Chained to a device: where it keeps what it compiled. Called on any thread, for as long as the device
/// lives.
struct DawnCacheDevice {
  WGPUChainedStruct chain;
  WGPUStringView isolation_key;
  DawnCacheCallbackInfo<DawnLoadCacheData> load;
  DawnCacheCallbackInfo<DawnStoreCacheData> store;
};

enum class DawnMatrixComponent : std::uint32_t { f32 = 1, f16 = 2, u32 = 3, i32 = 4, u8 = 5, i8 = 6 };

struct DawnSubgroupMatrixConfig {
  DawnMatrixComponent component;
  DawnMatrixComponent result;
  std::uint32_t m;
  std::uint32_t n;
  std::uint32_t k;
};

/// Chained to WGPUAdapterInfo; the library owns `configs` until the matching FreeMembers call.
struct DawnSubgroupMatrixConfigs {
  WGPUChainedStruct chain;
  std::size_t config_count;
  const DawnSubgroupMatrixConfig* configs;
};

enum class DawnLoggingType : std::uint32_t { verbose = 1, info = 2, warning = 3, error = 4 };
using DawnLoggingCallback = void (*)(DawnLoggingType type, WGPUStringView message, void* userdata1,
                                     void* userdata2);

struct DawnLoggingCallbackInfo {
  WGPUChainedStruct* next;
  DawnLoggingCallback callback;
  void* userdata1;
  void* userdata2;
};

using DawnDeviceSetLoggingCallback = void (*)(WGPUDevice device, DawnLoggingCallbackInfo info);
using DawnFreeSubgroupMatrixConfigs = void (*)(DawnSubgroupMatrixConfigs configs);

// ---- wgpu-native
// -----------------------------------------------------------------------------------------------

inline constexpr auto kWgpuInstanceExtras = static_cast<WGPUSType>(0x00030004);
inline constexpr auto kWgpuSubgroupFeature = static_cast<WGPUFeatureName>(0x00030021);

using WgpuBackends = std::uint64_t;
inline constexpr WgpuBackends kWgpuVulkan = 1;
inline constexpr WgpuBackends kWgpuGl = 2;
inline constexpr WgpuBackends kWgpuMetal = 4;
inline constexpr WgpuBackends kWgpuDx12 = 8;

/// Chained to an instance. All zero but `backends` asks for what wgpu does by itself.
struct WgpuInstanceExtras {
  WGPUChainedStruct chain;
  WgpuBackends backends;
  std::uint64_t flags;
  std::uint32_t dx12_compiler;
  std::uint32_t gles3_minor_version;
  std::uint32_t gl_fence_behaviour;
  WGPUStringView dxc_path;
  std::uint32_t dxc_max_shader_model;
  std::uint32_t dx12_presentation_system;
  const std::uint8_t* budget_for_device_creation;
  const std::uint8_t* budget_for_device_loss;
  struct {
    std::uint32_t type;
    void* display;
    std::uint64_t detail;
  } display_handle;
};

struct WgpuEnumerateOptions {
  const WGPUChainedStruct* next;
  WgpuBackends backends;
};

enum class WgpuLogLevel : std::uint32_t { off = 0, error = 1, warning = 2, info = 3, debug = 4, trace = 5 };
using WgpuLogCallback = void (*)(WgpuLogLevel level, WGPUStringView message, void* userdata);

using WgpuCreateShaderModuleTrusted = WGPUShaderModule (*)(WGPUDevice device,
                                                           const WGPUShaderModuleDescriptor* descriptor,
                                                           std::uint64_t runtime_checks);
using WgpuDevicePoll = WGPUBool (*)(WGPUDevice device, WGPUBool wait, const std::uint64_t* submission);
using WgpuGetVersion = std::uint32_t (*)();
using WgpuInstanceEnumerateAdapters = std::size_t (*)(WGPUInstance instance,
                                                      const WgpuEnumerateOptions* options,
                                                      WGPUAdapter* adapters);
using WgpuQueueGetTimestampPeriod = float (*)(WGPUQueue queue);
using WgpuSetLogCallback = void (*)(WgpuLogCallback callback, void* userdata);
using WgpuSetLogLevel = void (*)(WgpuLogLevel level);

}  // namespace wgemm::native
