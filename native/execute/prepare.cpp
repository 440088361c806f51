// Makes a plan's objects: what costs time once, before the first run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "native/execute/prepared_plan.hpp"
#include "native/execute/shader_module.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

tl::unexpected<Error> lacks(std::string_view what, const Shader& shader) {
  return fail(ErrorCode::unsupported, std::string(what),
              fmt::format("{} needs {}, which this device does not have", shader.label, what));
}

Result<void> check_shader(const Device& device, const Shader& shader) {
  const DeviceProfile& profile = device.profile();
  if (shader.needs_f16 && !profile.shader_f16) {
    return lacks("shader-f16", shader);
  }
  if (shader.needs_subgroups && !profile.subgroups) {
    return lacks("subgroups", shader);
  }
  if (shader.needs_subgroup_matrix && profile.matrix_configs.empty()) {
    return lacks("subgroup matrices", shader);
  }
  if (device.unchecked_shaders() && !device.library().capabilities().unchecked_by_shader &&
      !shader.proven_in_bounds) {
    return fail(
        ErrorCode::unsupported, "unchecked_shaders",
        fmt::format("{} is not proven to stay in bounds, and this device runs every shader unchecked; open a "
                    "context without unchecked_shaders for it",
                    shader.label));
  }
  return {};
}

/// Uniform bindings in whole vectors, so that a block may hold vec4u.
std::uint64_t uniform_bytes(const Step& step) {
  std::size_t words = 0;
  for (const Dispatch& dispatch : step.dispatches) {
    words = std::max(words, dispatch.uniforms.size());
  }
  return (words + 3) / 4 * 16;
}

bool same_bindings(const std::vector<Binding>& left, const std::vector<Binding>& right) {
  return std::ranges::equal(left, right, [](const auto& one, const auto& other) {
    return one.index == other.index && one.writable == other.writable;
  });
}

}  // namespace

Result<PreparedPlanData> PreparedPlanData::prepare(const std::shared_ptr<Device>& device, const Plan& plan) {
  PreparedPlanData prepared;
  prepared.device_ = device;
  prepared.plan_ = plan;
  Result<void> done = prepared.check_plan();
  if (done) {
    done = prepared.create_pipelines();
  }
  if (done) {
    done = prepared.create_uniforms();
  }
  if (done) {
    done = prepared.create_scratch();
  }
  if (!done) {
    return tl::unexpected(done.error());
  }
  return prepared;
}

Result<void> PreparedPlanData::check_plan() const {
  const Limits& limits = device_->profile().limits;
  for (const Shader& shader : plan_.shaders) {
    if (Result<void> checked = check_shader(*device_, shader); !checked) {
      return checked;
    }
  }
  for (const Step& step : plan_.steps) {
    if (step.bindings.size() > limits.max_storage_buffers_per_shader_stage) {
      return fail(ErrorCode::unsupported, "max_storage_buffers_per_shader_stage",
                  fmt::format("{} binds {} buffers; this device takes {}", plan_.kernel, step.bindings.size(),
                              limits.max_storage_buffers_per_shader_stage));
    }
    for (const Binding& binding : step.bindings) {
      if (const std::uint64_t bytes = plan_.buffers[binding.buffer].bytes;
          bytes > limits.max_storage_buffer_binding_size) {
        return fail(ErrorCode::unsupported, "max_storage_buffer_binding_size",
                    fmt::format("{} binds {} bytes at once; this device binds at most {}", plan_.kernel,
                                bytes, limits.max_storage_buffer_binding_size));
      }
    }
    for (const Dispatch& dispatch : step.dispatches) {
      for (const std::uint32_t count : dispatch.workgroups) {
        if (count > limits.max_compute_workgroups_per_dimension) {
          return fail(ErrorCode::unsupported, "max_compute_workgroups_per_dimension",
                      fmt::format("{} dispatches {} workgroups in a dimension; this device takes {}",
                                  plan_.kernel, count, limits.max_compute_workgroups_per_dimension));
        }
      }
    }
  }
  return {};
}

Result<void> PreparedPlanData::create_pipelines() {
  // Steps that run one shader with the same bindings share its pipeline.
  for (const Step& step : plan_.steps) {
    const std::uint64_t bytes = uniform_bytes(step);
    const auto found = std::ranges::find_if(pipelines_, [&](const Pipeline& pipeline) {
      return pipeline.shader == step.shader && pipeline.uniform_binding == step.uniform_binding &&
             pipeline.uniform_bytes == bytes && same_bindings(pipeline.bindings, step.bindings);
    });
    Stage stage;
    stage.pipeline = static_cast<std::size_t>(found - pipelines_.begin());
    stage.uniform_bytes = bytes;
    if (found == pipelines_.end()) {
      Pipeline pipeline;
      pipeline.shader = step.shader;
      pipeline.bindings = step.bindings;
      pipeline.uniform_binding = step.uniform_binding;
      pipeline.uniform_bytes = bytes;
      pipelines_.push_back(std::move(pipeline));
    }
    stages_.push_back(std::move(stage));
  }
  std::vector<Handle<WGPUShaderModule>> modules;
  const auto shader_start = Clock::now();
  for (const Shader& shader : plan_.shaders) {
    Result<Handle<WGPUShaderModule>> module = create_shader_module(*device_, shader);
    if (!module) {
      return tl::unexpected(module.error());
    }
    modules.push_back(std::move(*module));
  }
  cost.shader_ms = ms_since(shader_start);
  const auto pipeline_start = Clock::now();
  for (Pipeline& pipeline : pipelines_) {
    if (Result<void> created = create_pipeline(pipeline, modules[pipeline.shader].get()); !created) {
      return created;
    }
  }
  cost.pipeline_ms = ms_since(pipeline_start);
  return {};
}

Result<void> PreparedPlanData::create_pipeline(Pipeline& pipeline, WGPUShaderModule module) {
  const Functions& gpu = device_->gpu();
  const Shader& shader = plan_.shaders[pipeline.shader];
  std::vector<WGPUBindGroupLayoutEntry> entries;
  for (const Binding& binding : pipeline.bindings) {
    WGPUBindGroupLayoutEntry entry{};
    entry.binding = binding.index;
    entry.visibility = WGPUShaderStage_Compute;
    entry.buffer.type =
        binding.writable ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage;
    entries.push_back(entry);
  }
  if (pipeline.uniform_bytes > 0) {
    // A dynamic offset: one bind group serves every dispatch of a step.
    WGPUBindGroupLayoutEntry entry{};
    entry.binding = pipeline.uniform_binding;
    entry.visibility = WGPUShaderStage_Compute;
    entry.buffer.type = WGPUBufferBindingType_Uniform;
    entry.buffer.hasDynamicOffset = 1;
    entry.buffer.minBindingSize = pipeline.uniform_bytes;
    entries.push_back(entry);
  }
  ErrorScope scope(*device_);
  WGPUBindGroupLayoutDescriptor layout{};
  layout.entryCount = entries.size();
  layout.entries = entries.data();
  pipeline.layout = {gpu.DeviceCreateBindGroupLayout(device_->get(), &layout), gpu.BindGroupLayoutRelease};
  WGPUBindGroupLayout raw_layout = pipeline.layout.get();
  WGPUPipelineLayoutDescriptor layouts{};
  layouts.bindGroupLayoutCount = 1;
  layouts.bindGroupLayouts = &raw_layout;
  const Handle<WGPUPipelineLayout> pipeline_layout(gpu.DeviceCreatePipelineLayout(device_->get(), &layouts),
                                                   gpu.PipelineLayoutRelease);
  WGPUComputePipelineDescriptor descriptor{};
  descriptor.label = from_view(shader.label);
  descriptor.layout = pipeline_layout.get();
  descriptor.compute.module = module;
  descriptor.compute.entryPoint = from_view(shader.entry_point);
  pipeline.handle = {gpu.DeviceCreateComputePipeline(device_->get(), &descriptor),
                     gpu.ComputePipelineRelease};
  return scope.close(ErrorCode::compilation, shader.label);
}

Result<void> PreparedPlanData::create_uniforms() {
  const std::uint64_t alignment = device_->profile().limits.min_uniform_buffer_offset_alignment;
  std::vector<std::byte> blocks;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    Stage& stage = stages_[i];
    if (stage.uniform_bytes == 0) {
      continue;
    }
    for (const Dispatch& dispatch : plan_.steps[i].dispatches) {
      const std::uint64_t offset = (blocks.size() + alignment - 1) / alignment * alignment;
      if (offset > std::numeric_limits<std::uint32_t>::max()) {
        return fail(ErrorCode::unsupported, "dispatches",
                    fmt::format("{} has too many dispatches for one uniform buffer", plan_.kernel));
      }
      stage.uniform_offsets.push_back(static_cast<std::uint32_t>(offset));
      blocks.resize(offset + stage.uniform_bytes);
      const auto words = std::as_bytes(std::span(dispatch.uniforms));
      std::ranges::copy(words, blocks.begin() + static_cast<std::ptrdiff_t>(offset));
    }
  }
  if (blocks.empty()) {
    return {};
  }
  Result<DeviceBuffer> buffer =
      DeviceBuffer::create(device_, blocks.size(), WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst);
  if (!buffer) {
    return tl::unexpected(buffer.error());
  }
  uniforms_ = std::move(*buffer);
  return upload(uniforms_, 0, blocks);
}

Result<void> PreparedPlanData::create_scratch() {
  scratch_.resize(plan_.buffers.size());
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    if (plan_.buffers[i].role == BufferRole::scratch) {
      Result<DeviceBuffer> buffer = DeviceBuffer::create(device_, plan_.buffers[i].bytes, kOperandUsage);
      if (!buffer) {
        return tl::unexpected(buffer.error());
      }
      scratch_[i] = std::move(*buffer);
    }
  }
  return {};
}

}  // namespace wgemm::native
