// Ties a prepared plan to the operands of a run.
#include <fmt/format.h>

#include <algorithm>

#include "core/caller_buffers.hpp"
#include "native/context/error_scope.hpp"
#include "native/execute/prepared_plan.hpp"

namespace wgemm::native {

namespace {

/// Operand sets whose bind groups are kept; a timing rotates through a few.
constexpr std::size_t kKept = 32;

/// What tells one set of operands from another: addresses of the application's buffers, numbers of ours.
std::vector<std::uint64_t> key_of(const OperandViews& operands, const Scratch& scratch) {
  std::vector<std::uint64_t> key;
  key.reserve(3 * operands.size() + scratch.size());
  for (const OperandView& view : operands) {
    key.push_back(view.id != 0 ? view.id : reinterpret_cast<std::uintptr_t>(view.buffer));
    key.push_back(view.offset);
    key.push_back(view.size);
  }
  for (const PooledBuffer& buffer : scratch) {
    key.push_back(buffer.id());
  }
  return key;
}

}  // namespace

OperandView PreparedPlanData::view_of(std::uint32_t index, const OperandViews& operands,
                                      const Scratch& scratch) const {
  const BufferRole role = plan_.buffers[index].role;
  if (role == BufferRole::scratch) {
    return &scratch[index].get();
  }
  return role == BufferRole::constant ? OperandView(&constants_[index])
                                      : operands.at(static_cast<std::size_t>(role));
}

Result<void> PreparedPlanData::check_range(std::string_view name, const OperandView& view) const {
  const Functions& gpu = device_->gpu();
  const std::uint64_t bytes = gpu.BufferGetSize(view.buffer);
  if (view.offset > bytes || view.size > bytes - view.offset) {
    return fail(ErrorCode::invalid_argument, std::string(name),
                fmt::format("{} is given as {} bytes from byte {} on; the buffer has {}", name, view.size,
                            view.offset, bytes));
  }
  if ((gpu.BufferGetUsage(view.buffer) & WGPUBufferUsage_Storage) == 0) {
    return fail(
        ErrorCode::invalid_argument, std::string(name),
        fmt::format("buffer {} was made without the usage Storage, so that no shader can bind it", name));
  }
  return {};
}

Result<void> PreparedPlanData::check_operands(const OperandViews& operands) const {
  std::array<bool, kCallerBuffers> present{};
  std::ranges::transform(operands, present.begin(), [](const auto& view) { return view.buffer != nullptr; });
  if (Result<void> right = check_given(plan_.problem, present); !right) {
    return right;
  }
  // A prepared B is numbers already: other scales would change nothing, without a word.
  const bool prepared_b = takes_prepared_b(plan_);
  for (const BufferRole role : {BufferRole::scales, BufferRole::zeros}) {
    if (prepared_b && present.at(static_cast<std::size_t>(role))) {
      const std::string name(to_string(role));
      return fail(ErrorCode::invalid_argument, name,
                  fmt::format("{} is given, but this plan takes a prepared b, which has it in it", name));
    }
  }
  const std::uint64_t alignment = device_->profile().limits.min_storage_buffer_offset_alignment;
  for (const PlanBuffer& wanted : plan_.buffers) {
    if (static_cast<std::size_t>(wanted.role) >= kCallerBuffers || wanted.bytes == 0) {
      continue;
    }
    const OperandView& view = operands.at(static_cast<std::size_t>(wanted.role));
    const std::string_view name = to_string(wanted.role);
    if (view.buffer == nullptr || view.size < wanted.bytes) {
      return fail(ErrorCode::invalid_argument, std::string(name),
                  fmt::format("buffer {} has {} bytes; {} needs {}", name,
                              view.buffer == nullptr ? 0 : view.size, plan_.kernel, wanted.bytes));
    }
    if (view.id == 0) {
      if (Result<void> checked = check_range(name, view); !checked) {
        return checked;
      }
    } else if (view.device != device_.get()) {
      return fail(ErrorCode::invalid_argument, std::string(name),
                  fmt::format("buffer {} belongs to another context", name));
    }
    if (view.layout != nullptr && *view.layout != wanted.layout && wanted.role != BufferRole::c) {
      return fail(ErrorCode::invalid_argument, std::string(name),
                  wanted.layout.empty()
                      ? fmt::format("buffer {} is an operand prepared for another plan ({}); this one takes "
                                    "it as the problem says",
                                    name, *view.layout)
                      : fmt::format("buffer {} must be prepared for this plan ({})", name, wanted.layout));
    }
    if (view.offset % alignment != 0) {
      return fail(ErrorCode::invalid_argument, std::string(name),
                  fmt::format("buffer {} is given from byte {} on; the device binds multiples of {}", name,
                              view.offset, alignment));
    }
  }
  constexpr auto kC = static_cast<std::size_t>(BufferRole::c);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i != kC && operands.at(kC).buffer != nullptr && operands.at(kC).buffer == operands.at(i).buffer) {
      return fail(
          ErrorCode::invalid_argument, "c",
          "C must not be the buffer of an input: WebGPU binds no buffer for reading and writing at once");
    }
  }
  return {};
}

Result<Scratch> PreparedPlanData::take_scratch() const {
  Scratch scratch(plan_.buffers.size());
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    if (plan_.buffers[i].role != BufferRole::scratch) {
      continue;
    }
    Result<PooledBuffer> buffer = pool_->take(device_, plan_.buffers[i].bytes, kOperandUsage);
    if (!buffer) {
      return tl::unexpected(buffer.error());
    }
    scratch[i] = std::move(*buffer);
  }
  return scratch;
}

Result<std::shared_ptr<const BoundOperands>> PreparedPlanData::bind(const OperandViews& operands,
                                                                    const Scratch& scratch) {
  const std::vector<std::uint64_t> key = key_of(operands, scratch);
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(bound_, [&](const auto& known) { return known->key == key; });
  if (found != bound_.end()) {
    std::rotate(found, found + 1, bound_.end());
    return bound_.back();
  }
  if (Result<void> checked = check_operands(operands); !checked) {
    return tl::unexpected(checked.error());
  }
  Result<std::shared_ptr<const BoundOperands>> made = create_groups(operands, scratch);
  if (!made) {
    return made;
  }
  if (bound_.size() == kKept) {
    bound_.erase(bound_.begin());
  }
  bound_.push_back(*made);
  return made;
}

Result<std::shared_ptr<const BoundOperands>> PreparedPlanData::bind_for_recording(
    const OperandViews& operands) {
  {
    const std::lock_guard lock(mutex_);
    if (recording_scratch_.empty()) {
      Result<Scratch> scratch = take_scratch();
      if (!scratch) {
        return tl::unexpected(scratch.error());
      }
      recording_scratch_ = std::move(*scratch);
    }
  }
  return bind(operands, recording_scratch_);
}

void PreparedPlanData::forget_operands() {
  std::vector<std::shared_ptr<const BoundOperands>> forgotten;  // released without the lock
  const std::lock_guard lock(mutex_);
  forgotten.swap(bound_);
}

Result<std::shared_ptr<const BoundOperands>> PreparedPlanData::create_groups(const OperandViews& operands,
                                                                             const Scratch& scratch) const {
  const Functions& gpu = device_->gpu();
  auto bound = std::make_shared<BoundOperands>();
  bound->key = key_of(operands, scratch);
  ErrorScope scope(*device_);
  std::vector<WGPUBindGroupEntry> entries;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const Step& step = plan_.steps[i];
    const Stage& stage = stages_[i];
    entries.clear();
    for (const Binding& binding : step.bindings) {
      // Exactly the plan's bytes: what lies behind them in a larger buffer stays out of a shader's reach.
      const OperandView view = view_of(binding.buffer, operands, scratch);
      WGPUBindGroupEntry entry{};
      entry.binding = binding.index;
      entry.buffer = view.buffer;
      entry.offset = view.offset + binding.offset;
      entry.size = bound_bytes(plan_, binding);
      entries.push_back(entry);
    }
    if (stage.uniform_bytes > 0) {
      WGPUBindGroupEntry entry{};
      entry.binding = step.uniform_binding;
      entry.buffer = uniforms_.get();
      entry.size = stage.uniform_bytes;
      entries.push_back(entry);
    }
    WGPUBindGroupDescriptor descriptor{};
    descriptor.layout = stage.pipeline->layout.get();
    descriptor.entryCount = entries.size();
    descriptor.entries = entries.data();
    bound->groups.emplace_back(gpu.DeviceCreateBindGroup(device_->get(), &descriptor), gpu.BindGroupRelease);
  }
  if (Result<void> closed = scope.close(ErrorCode::validation, "its bind groups"); !closed) {
    return tl::unexpected(closed.error());
  }
  for (const OperandView& view : operands) {
    if (view.buffer != nullptr && view.id == 0) {
      gpu.BufferAddRef(view.buffer);
      bound->references.emplace_back(view.buffer, gpu.BufferRelease);
    }
  }
  bound->count = Counted(device_->counts(), &LiveCounts::bind_groups, bound->groups.size());
  return bound;
}

void PreparedPlanData::encode(WGPUComputePassEncoder pass, const BoundOperands& bound, std::size_t step,
                              std::size_t dispatch) const {
  const Functions& gpu = device_->gpu();
  const Stage& stage = stages_[step];
  const std::array<std::uint32_t, 3>& workgroups = plan_.steps[step].dispatches[dispatch].workgroups;
  gpu.ComputePassEncoderSetPipeline(pass, stage.pipeline->handle.get());
  const bool uniforms = stage.uniform_bytes > 0;
  gpu.ComputePassEncoderSetBindGroup(pass, 0, bound.groups[step].get(), uniforms ? 1 : 0,
                                     uniforms ? &stage.uniform_offsets[dispatch] : nullptr);
  gpu.ComputePassEncoderDispatchWorkgroups(pass, workgroups[0], workgroups[1], workgroups[2]);
}

std::size_t PreparedPlanData::dispatch_count() const {
  std::size_t count = 0;
  for (const Step& step : plan_.steps) {
    count += step.dispatches.size();
  }
  return count;
}

}  // namespace wgemm::native
