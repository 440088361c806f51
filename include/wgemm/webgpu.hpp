// For applications that have a WebGPU device of their own: wgemm plans and records on it. Needs the standard
// webgpu.h of the library in use; nothing else of wgemm's interface does.
#pragma once

#include <webgpu.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wgemm/context.hpp"

namespace wgemm::webgpu {

/// Which WebGPU library the handles belong to. One of the two, `load` before `name`; a build with
/// WGEMM_WEBGPU_DIRECT needs neither and calls what the application links.
struct LibrarySource {
  /// The address of a function of webgpu.h by its name ("wgpuDeviceCreateBuffer"), nullptr where the library
  /// has none: dlsym on the application's handle, say. Called during the call that it is given to only.
  std::function<void*(const char* name)> load;
  /// As ContextOptions::webgpu: a library that wgemm opens, or has opened, by name or path. It must be the
  /// very file that made the handles.
  std::string name;
};

/// A device that the application made, and goes on using.
///
/// wgemm adds a reference to each handle and drops it with the context. It sets no callback of the device,
/// and needs the application's uncaptured-error callback on wgpu-native, which ends the process without one.
/// Calls that wait (`run`, `download`, ...) let the library's events arrive, those of the application too;
/// `record` never waits. On Dawn the context may be used from several threads where the device has the
/// feature ImplicitDeviceSynchronization; otherwise the application uses device and context from one thread
/// at a time. On wgpu-native the error scopes of a device are shared by its threads: an application that uses
/// scopes of its own does so while no other thread is inside wgemm.
struct ExternalDevice {
  LibrarySource library;
  WGPUInstance instance = nullptr;
  WGPUAdapter adapter = nullptr;  ///< what the device is; or `profile` says it
  WGPUDevice device = nullptr;
  WGPUQueue queue = nullptr;  ///< nullptr: the device's own
  /// In place of the adapter: name, vendor, architecture, ids, subgroup sizes and matrix configurations.
  /// Limits, features, library and dialect are taken from the device itself.
  std::optional<DeviceProfile> profile = std::nullopt;
  /// On Dawn: the device was made with the toggle disable_robustness. On wgpu-native: proven shaders may be
  /// made without checks.
  bool unchecked_shaders = false;
  /// Run a tiny shader, and empty timed passes, to learn the subgroup size and the clock's steps; without,
  /// adopting submits nothing, and kernels that need a known subgroup size are left out where the adapter
  /// does not tell it.
  bool probe = true;
};

/// A context on the application's device. `options`: timeout, pooled_bytes and log count. Errors:
/// invalid_argument (a handle is missing), not_found, unsupported (the library), device_lost.
Result<Context> adopt(const ExternalDevice& external, const ContextOptions& options = {});

/// To be called from the application's device-lost callback; from any thread. Dawn's devices tell it by
/// themselves, too; on wgpu-native a lost device may otherwise end the process in the next submission.
void notify_lost(Context& context, std::string_view message);

/// A part of a buffer of the application's. The buffer has the usage Storage, the offset is a multiple of the
/// device's minStorageBufferOffsetAlignment (256). size 0: not given, the plan has no buffer of that role.
struct BufferRange {
  WGPUBuffer buffer = nullptr;
  std::uint64_t offset = 0;  ///< bytes
  std::uint64_t size = 0;    ///< bytes, at least what PlanBuffer::bytes says
};

struct Operands {
  BufferRange a;
  BufferRange b;
  BufferRange c;
  BufferRange bias;
  BufferRange residual;
  BufferRange scales;  ///< of a quantised B
  BufferRange zeros;
};

/// Records the plan into a compute pass that the application has open; sets pipeline and bind group 0, and
/// leaves the pass open. Submits nothing, waits for nothing. The prepared plan must live until the commands
/// are submitted, and the whole pass be submitted to the context's queue. C must be another buffer than the
/// inputs, not just another range. Buffers that were recorded last stay referenced
/// (PreparedPlan::forget_operands). Errors: invalid_argument, naming the operand; out_of_memory; device_lost.
Result<void> record(Context& context, PreparedPlan& prepared, const Operands& operands,
                    WGPUComputePassEncoder pass);
/// The same in a compute pass of its own.
Result<void> record(Context& context, PreparedPlan& prepared, const Operands& operands,
                    WGPUCommandEncoder encoder);

/// The device, queue and memory behind wgemm's own objects, for applications that mix both. No reference is
/// added.
WGPUDevice device_of(const Context& context);
WGPUQueue queue_of(const Context& context);
WGPUBuffer buffer_of(const Buffer& buffer);

/// What a device needs for the fast paths of this adapter, ready to be handed to wgpuAdapterRequestDevice.
class DeviceRequirements {
 public:
  /// Features and limits of the adapter that wgemm uses, and on Dawn the toggles, chained. The pointers in it
  /// live as long as this object. The application sets its callbacks and label in a copy, and adds what it
  /// needs itself.
  [[nodiscard]] const WGPUDeviceDescriptor& descriptor() const;
  /// What each feature is for, one line for each of the descriptor's features.
  [[nodiscard]] std::string_view reason(std::size_t feature) const;

 private:
  friend Result<DeviceRequirements> device_requirements(WGPUAdapter, const LibrarySource&, bool);
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// `unchecked_shaders`: on Dawn with the toggle disable_robustness, for ExternalDevice::unchecked_shaders.
Result<DeviceRequirements> device_requirements(WGPUAdapter adapter, const LibrarySource& library,
                                               bool unchecked_shaders = false);

/// Dawn's toggles, to be chained to the instance and to the adapter request: some features (f16 on NVIDIA,
/// subgroup matrices) show up on adapters that were asked for with them only. Static; `next` is null.
const WGPUChainedStruct* dawn_toggles(bool unchecked_shaders = false);

}  // namespace wgemm::webgpu
