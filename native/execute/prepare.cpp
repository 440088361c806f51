// Makes a plan's objects: what costs time once, before the first run.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/checking/plan_references.hpp"
#include "core/round_up.hpp"
#include "native/execute/prepared_plan.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

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

}  // namespace

Result<std::shared_ptr<PreparedPlanData>> PreparedPlanData::prepare(const PlanHome& home, const Plan& plan,
                                                                    const Wait& wait) {
  auto prepared = std::make_shared<PreparedPlanData>();
  prepared->device_ = home.device;
  prepared->pool_ = home.pool ? home.pool : std::make_shared<BufferPool>(0);
  prepared->plan_ = plan;
  Result<void> done = prepared->check_plan();
  if (done) {
    PipelineCache own;  // for a plan whose steps share a pipeline
    done = prepared->create_pipelines(home.pipelines != nullptr ? *home.pipelines : own, wait);
  }
  if (done) {
    done = prepared->create_uniforms();
  }
  if (done) {
    done = prepared->create_constants();
  }
  if (!done) {
    return tl::unexpected(done.error());
  }
  return prepared;
}

StartCost PreparedPlanData::cost() const {
  const std::lock_guard lock(mutex_);
  return cost_;
}

void PreparedPlanData::remember(double ms) {
  const std::lock_guard lock(mutex_);
  if (estimate_ms == 0) {
    cost_.first_dispatch_ms = ms;
  } else {
    cold = false;
  }
  estimate_ms = std::max(ms, 1e-6);
}

Result<void> PreparedPlanData::check_plan() const {
  if (Result<void> sound = check_references(plan_); !sound) {
    return sound;
  }
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
      if (binding.offset % limits.min_storage_buffer_offset_alignment != 0) {
        return fail(ErrorCode::invalid_argument, "offset",
                    fmt::format("{} binds a buffer from byte {} on; this device binds multiples of {}",
                                plan_.kernel, binding.offset, limits.min_storage_buffer_offset_alignment));
      }
      if (const std::uint64_t bytes = bound_bytes(plan_, binding);
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

Result<void> PreparedPlanData::create_pipelines(PipelineCache& cache, const Wait& wait) {
  for (const Step& step : plan_.steps) {
    Result<std::shared_ptr<const Pipeline>> pipeline =
        cache.get(*device_, plan_.shaders[step.shader], step, wait);
    if (!pipeline) {
      return tl::unexpected(pipeline.error());
    }
    cost_.shader_ms += (*pipeline)->shader_ms;
    cost_.pipeline_ms += (*pipeline)->pipeline_ms;
    stages_.push_back({std::move(*pipeline), uniform_bytes(step), {}});
  }
  return {};
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
      const std::uint64_t offset = round_up(blocks.size(), alignment);
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

Result<void> PreparedPlanData::create_constants() {
  constants_.resize(plan_.buffers.size());
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    const PlanBuffer& wanted = plan_.buffers[i];
    if (wanted.role != BufferRole::constant) {
      continue;
    }
    Result<DeviceBuffer> buffer = DeviceBuffer::create(device_, wanted.bytes, kOperandUsage);
    if (!buffer) {
      return tl::unexpected(buffer.error());
    }
    constants_[i] = std::move(*buffer);
    if (Result<void> filled = upload(constants_[i], 0, std::as_bytes(std::span(wanted.words))); !filled) {
      return filled;
    }
  }
  return {};
}

}  // namespace wgemm::native
