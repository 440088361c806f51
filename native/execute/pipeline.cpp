#include "native/execute/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "native/context/error_scope.hpp"
#include "native/context/pending.hpp"
#include "native/execute/shader_module.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

/// Pipelines that a cache keeps: more than the texts of an application's products, and bounded.
constexpr std::size_t kKept = 256;

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Everything that makes one pipeline another. Whether shaders are checked is the device's.
std::string key_of(const Shader& shader, const Step& step) {
  std::string key = fmt::format("{} {} {}", shader.entry_point, step.uniform_binding, uniform_bytes(step));
  for (const Binding& binding : step.bindings) {
    key += fmt::format(" {}{}", binding.index, binding.writable ? "w" : "r");
  }
  return key + "\n" + shader.wgsl;
}

std::vector<WGPUBindGroupLayoutEntry> layout_entries(const Step& step) {
  std::vector<WGPUBindGroupLayoutEntry> entries;
  for (const Binding& binding : step.bindings) {
    WGPUBindGroupLayoutEntry entry{};
    entry.binding = binding.index;
    entry.visibility = WGPUShaderStage_Compute;
    entry.buffer.type =
        binding.writable ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage;
    entries.push_back(entry);
  }
  if (const std::uint64_t bytes = uniform_bytes(step); bytes > 0) {
    // A dynamic offset: one bind group serves every dispatch of a step.
    WGPUBindGroupLayoutEntry entry{};
    entry.binding = step.uniform_binding;
    entry.visibility = WGPUShaderStage_Compute;
    entry.buffer.type = WGPUBufferBindingType_Uniform;
    entry.buffer.hasDynamicOffset = 1;
    entry.buffer.minBindingSize = bytes;
    entries.push_back(entry);
  }
  return entries;
}

struct PipelineAnswer {
  WGPUCreatePipelineAsyncStatus status{};
  WGPUComputePipeline pipeline = nullptr;
  std::string message;
};

/// On threads of the library's own, so that other threads' calls on the device go on.
Result<Handle<WGPUComputePipeline>> create_asynchronously(Device& device,
                                                          const WGPUComputePipelineDescriptor& descriptor,
                                                          const Shader& shader, const Wait& wait) {
  const Functions& gpu = device.gpu();
  Pending<PipelineAnswer> pending;
  WGPUCreateComputePipelineAsyncCallbackInfo callback{};
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = pending.ticket();
  callback.callback = [](WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
                         WGPUStringView message, void* ticket, void* /*unused*/) {
    Pending<PipelineAnswer>::arrive(ticket, {status, pipeline, std::string(to_view(message))});
  };
  gpu.DeviceCreateComputePipelineAsync(device.get(), &descriptor, callback);
  if (Result<void> waited = device.wait_for(pending.arrived(), wait); !waited) {
    return tl::unexpected(waited.error());
  }
  Handle<WGPUComputePipeline> pipeline(pending.value().pipeline, gpu.ComputePipelineRelease);
  if (Result<void> alive = device.check_alive(); !alive) {
    return tl::unexpected(alive.error());
  }
  if (!pipeline) {
    return fail(ErrorCode::compilation, "",
                fmt::format("{}: {}", shader.label, shorten(pending.value().message)));
  }
  return pipeline;
}

Result<Handle<WGPUComputePipeline>> create_pipeline(Device& device,
                                                    const WGPUComputePipelineDescriptor& descriptor,
                                                    const Shader& shader, const Wait& wait) {
  if (device.library().capabilities().compiles_asynchronously) {
    return create_asynchronously(device, descriptor, shader, wait);
  }
  const Functions& gpu = device.gpu();
  ErrorScope scope(device);
  Handle<WGPUComputePipeline> pipeline(gpu.DeviceCreateComputePipeline(device.get(), &descriptor),
                                       gpu.ComputePipelineRelease);
  if (Result<void> closed = scope.close(ErrorCode::compilation, shader.label); !closed) {
    return tl::unexpected(closed.error());
  }
  return pipeline;
}

Result<Pipeline> compile(Device& device, const Shader& shader, const Step& step, const Wait& wait) {
  if (Result<void> goes_on = wait.check(); !goes_on) {
    return tl::unexpected(goes_on.error());
  }
  if (Result<void> alive = device.check_alive(); !alive) {
    return tl::unexpected(alive.error());
  }
  const Functions& gpu = device.gpu();
  Pipeline pipeline;
  const auto shader_start = Clock::now();
  Result<Handle<WGPUShaderModule>> module = create_shader_module(device, shader);
  if (!module) {
    return tl::unexpected(module.error());
  }
  pipeline.shader_ms = ms_since(shader_start);
  const auto pipeline_start = Clock::now();
  ErrorScope scope(device);
  const std::vector<WGPUBindGroupLayoutEntry> entries = layout_entries(step);
  WGPUBindGroupLayoutDescriptor layout{};
  layout.entryCount = entries.size();
  layout.entries = entries.data();
  pipeline.layout = {gpu.DeviceCreateBindGroupLayout(device.get(), &layout), gpu.BindGroupLayoutRelease};
  WGPUBindGroupLayout raw_layout = pipeline.layout.get();
  WGPUPipelineLayoutDescriptor layouts{};
  layouts.bindGroupLayoutCount = 1;
  layouts.bindGroupLayouts = &raw_layout;
  const Handle<WGPUPipelineLayout> pipeline_layout(gpu.DeviceCreatePipelineLayout(device.get(), &layouts),
                                                   gpu.PipelineLayoutRelease);
  if (Result<void> closed = scope.close(ErrorCode::compilation, shader.label); !closed) {
    return tl::unexpected(closed.error());
  }
  WGPUComputePipelineDescriptor descriptor{};
  descriptor.label = from_view(shader.label);
  descriptor.layout = pipeline_layout.get();
  descriptor.compute.module = module->get();
  descriptor.compute.entryPoint = from_view(shader.entry_point);
  Result<Handle<WGPUComputePipeline>> handle = create_pipeline(device, descriptor, shader, wait);
  if (!handle) {
    return tl::unexpected(handle.error());
  }
  pipeline.handle = std::move(*handle);
  pipeline.pipeline_ms = ms_since(pipeline_start);
  pipeline.count = Counted(device.counts(), &LiveCounts::pipelines);
  return pipeline;
}

}  // namespace

std::uint64_t uniform_bytes(const Step& step) {
  // In whole vectors, so that a block may hold vec4u.
  std::size_t words = 0;
  for (const Dispatch& dispatch : step.dispatches) {
    words = std::max(words, dispatch.uniforms.size());
  }
  return (words + 3) / 4 * 16;
}

std::shared_ptr<PipelineCache::Slot> PipelineCache::slot(std::string key) {
  const std::lock_guard lock(mutex_);
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    entries_.splice(entries_.begin(), entries_, known->second);
    return known->second->second;
  }
  if (entries_.size() == kKept) {
    by_key_.erase(entries_.back().first);
    entries_.pop_back();
  }
  entries_.emplace_front(key, std::make_shared<Slot>());
  by_key_.emplace(std::move(key), entries_.begin());
  return entries_.front().second;
}

Result<std::shared_ptr<const Pipeline>> PipelineCache::get(Device& device, const Shader& shader,
                                                           const Step& step, const Wait& wait) {
  constexpr auto kNap = std::chrono::microseconds(200);
  const std::shared_ptr<Slot> kept = slot(key_of(shader, step));
  while (!kept->compiling.try_lock()) {
    if (Result<void> goes_on = wait.check(); !goes_on) {
      return tl::unexpected(goes_on.error());
    }
    std::this_thread::sleep_for(kNap);
  }
  const std::lock_guard lock(kept->compiling, std::adopt_lock);
  if (kept->pipeline) {
    return kept->pipeline;
  }
  Result<Pipeline> pipeline = compile(device, shader, step, wait);
  if (!pipeline) {
    return tl::unexpected(pipeline.error());
  }
  kept->pipeline = std::make_shared<const Pipeline>(std::move(*pipeline));
  return kept->pipeline;
}

void PipelineCache::clear() {
  const std::lock_guard lock(mutex_);
  by_key_.clear();
  entries_.clear();
}

}  // namespace wgemm::native
