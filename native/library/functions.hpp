// The functions of a WebGPU library that wgemm calls, and no other: a table filled at run time from a shared
// library, or at build time with the functions of a library that the application links (WGEMM_WEBGPU_DIRECT).
#pragma once

#include <webgpu.h>

#include "native/extensions.hpp"

/// X(Name): functions of the standard webgpu.h that both libraries must have. None of them may be on the
/// abort list of capabilities.hpp; a test checks that.
#define WGEMM_WEBGPU_FUNCTIONS(X)         \
  X(CreateInstance)                       \
  X(InstanceAddRef)                       \
  X(InstanceProcessEvents)                \
  X(InstanceRelease)                      \
  X(InstanceRequestAdapter)               \
  X(AdapterAddRef)                        \
  X(AdapterGetFeatures)                   \
  X(AdapterGetInfo)                       \
  X(AdapterGetLimits)                     \
  X(AdapterInfoFreeMembers)               \
  X(AdapterRelease)                       \
  X(AdapterRequestDevice)                 \
  X(SupportedFeaturesFreeMembers)         \
  X(DeviceAddRef)                         \
  X(DeviceCreateBindGroup)                \
  X(DeviceCreateBindGroupLayout)          \
  X(DeviceCreateBuffer)                   \
  X(DeviceCreateCommandEncoder)           \
  X(DeviceCreateComputePipeline)          \
  X(DeviceCreatePipelineLayout)           \
  X(DeviceCreateQuerySet)                 \
  X(DeviceCreateShaderModule)             \
  X(DeviceDestroy)                        \
  X(DeviceGetFeatures)                    \
  X(DeviceGetLimits)                      \
  X(DeviceGetQueue)                       \
  X(DevicePopErrorScope)                  \
  X(DevicePushErrorScope)                 \
  X(DeviceRelease)                        \
  X(BindGroupLayoutRelease)               \
  X(BindGroupRelease)                     \
  X(BufferAddRef)                         \
  X(BufferDestroy)                        \
  X(BufferGetConstMappedRange)            \
  X(BufferGetSize)                        \
  X(BufferGetUsage)                       \
  X(BufferMapAsync)                       \
  X(BufferRelease)                        \
  X(BufferUnmap)                          \
  X(CommandBufferRelease)                 \
  X(CommandEncoderBeginComputePass)       \
  X(CommandEncoderCopyBufferToBuffer)     \
  X(CommandEncoderFinish)                 \
  X(CommandEncoderRelease)                \
  X(CommandEncoderResolveQuerySet)        \
  X(ComputePassEncoderDispatchWorkgroups) \
  X(ComputePassEncoderEnd)                \
  X(ComputePassEncoderRelease)            \
  X(ComputePassEncoderSetBindGroup)       \
  X(ComputePassEncoderSetPipeline)        \
  X(ComputePipelineRelease)               \
  X(PipelineLayoutRelease)                \
  X(QuerySetRelease)                      \
  X(QueueAddRef)                          \
  X(QueueOnSubmittedWorkDone)             \
  X(QueueRelease)                         \
  X(QueueSubmit)                          \
  X(QueueWriteBuffer)                     \
  X(ShaderModuleRelease)

/// X(Name, type): functions that only wgpu-native has.
#define WGEMM_WGPU_FUNCTIONS(X)                                     \
  X(DeviceCreateShaderModuleTrusted, WgpuCreateShaderModuleTrusted) \
  X(DevicePoll, WgpuDevicePoll)                                     \
  X(GetVersion, WgpuGetVersion)                                     \
  X(InstanceEnumerateAdapters, WgpuInstanceEnumerateAdapters)       \
  X(QueueGetTimestampPeriod, WgpuQueueGetTimestampPeriod)           \
  X(SetLogCallback, WgpuSetLogCallback)                             \
  X(SetLogLevel, WgpuSetLogLevel)

/// X(Name, type): functions that only Dawn has.
#define WGEMM_DAWN_FUNCTIONS(X)                                                       \
  X(AdapterPropertiesSubgroupMatrixConfigsFreeMembers, DawnFreeSubgroupMatrixConfigs) \
  X(DeviceSetLoggingCallback, DawnDeviceSetLoggingCallback)

/// X(Name): functions of the standard webgpu.h that wgpu-native exports and does not implement, so that only
/// Dawn's are used. Capabilities say which a library has.
#define WGEMM_DAWN_STANDARD_FUNCTIONS(X) \
  X(DeviceCreateComputePipelineAsync)    \
  X(DeviceGetLostFuture)                 \
  X(InstanceWaitAny)

namespace wgemm::native {

/// Fields carry the names of webgpu.h without the prefix "wgpu". Those of the library that is not loaded are
/// null.
struct Functions {
#define X(name) WGPUProc##name name = nullptr;
  WGEMM_WEBGPU_FUNCTIONS(X)
  WGEMM_DAWN_STANDARD_FUNCTIONS(X)
#undef X
#define X(name, type) type name = nullptr;
  WGEMM_WGPU_FUNCTIONS(X)
  WGEMM_DAWN_FUNCTIONS(X)
#undef X
};

}  // namespace wgemm::native
