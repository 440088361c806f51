#include "native/execute/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

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

Result<Pipeline> compile(Device& device, const Shader& shader, const Step& step) {
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
  WGPUComputePipelineDescriptor descriptor{};
  descriptor.label = from_view(shader.label);
  descriptor.layout = pipeline_layout.get();
  descriptor.compute.module = module->get();
  descriptor.compute.entryPoint = from_view(shader.entry_point);
  pipeline.handle = {gpu.DeviceCreateComputePipeline(device.get(), &descriptor), gpu.ComputePipelineRelease};
  if (Result<void> closed = scope.close(ErrorCode::compilation, shader.label); !closed) {
    return tl::unexpected(closed.error());
  }
  pipeline.pipeline_ms = ms_since(pipeline_start);
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

Result<std::shared_ptr<const Pipeline>> PipelineCache::get(Device& device, const Shader& shader,
                                                           const Step& step) {
  std::string key = key_of(shader, step);
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    entries_.splice(entries_.begin(), entries_, known->second);
    return known->second->second;
  }
  Result<Pipeline> pipeline = compile(device, shader, step);
  if (!pipeline) {
    return tl::unexpected(pipeline.error());
  }
  if (entries_.size() == kKept) {
    by_key_.erase(entries_.back().first);
    entries_.pop_back();
  }
  entries_.emplace_front(key, std::make_shared<const Pipeline>(std::move(*pipeline)));
  by_key_.emplace(std::move(key), entries_.begin());
  return entries_.front().second;
}

}  // namespace wgemm::native
