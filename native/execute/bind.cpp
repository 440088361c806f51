// Ties a prepared plan to the operands of a run.
#include <fmt/format.h>

#include <algorithm>

#include "native/execute/prepared_plan.hpp"

namespace wgemm::native {

namespace {

/// Operand sets whose bind groups are kept; a timing rotates through a few.
constexpr std::size_t kKept = 32;

std::uint64_t id_of(const DeviceBuffer* buffer) { return buffer != nullptr ? buffer->id() : 0; }

}  // namespace

const DeviceBuffer* PreparedPlanData::buffer_of(std::uint32_t index, const OperandBuffers& operands) const {
  const auto role = static_cast<std::size_t>(plan_.buffers[index].role);
  return role < operands.size() ? operands.at(role) : &scratch_[index];
}

Result<void> PreparedPlanData::check_operands(const OperandBuffers& operands) const {
  for (std::uint32_t i = 0; i < plan_.buffers.size(); ++i) {
    const PlanBuffer& wanted = plan_.buffers[i];
    const DeviceBuffer* buffer = buffer_of(i, operands);
    if (static_cast<std::size_t>(wanted.role) >= kCallerBuffers || wanted.bytes == 0) {
      continue;
    }
    const std::string name(to_string(wanted.role));
    if (buffer == nullptr || buffer->size() < wanted.bytes) {
      return fail(ErrorCode::invalid_argument, name,
                  fmt::format("buffer {} has {} bytes; {} needs {}", name,
                              buffer == nullptr ? 0 : buffer->size(), plan_.kernel, wanted.bytes));
    }
    if (buffer->device() != device_) {
      return fail(ErrorCode::invalid_argument, name,
                  fmt::format("buffer {} belongs to another context", name));
    }
  }
  constexpr auto kC = static_cast<std::size_t>(BufferRole::c);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i != kC && operands.at(kC) != nullptr && id_of(operands.at(kC)) == id_of(operands.at(i))) {
      return fail(
          ErrorCode::invalid_argument, "c",
          "C must not be the buffer of an input: WebGPU binds no buffer for reading and writing at once");
    }
  }
  return {};
}

Result<const std::vector<Handle<WGPUBindGroup>>*> PreparedPlanData::bind(const OperandBuffers& operands) {
  std::array<std::uint64_t, kCallerBuffers> ids{};
  std::ranges::transform(operands, ids.begin(), id_of);
  const auto found = std::ranges::find(bound_, ids, &BoundOperands::ids);
  if (found != bound_.end()) {
    std::rotate(found, found + 1, bound_.end());
    return &bound_.back().groups;
  }
  if (Result<void> checked = check_operands(operands); !checked) {
    return tl::unexpected(checked.error());
  }
  Result<std::vector<Handle<WGPUBindGroup>>> groups = create_groups(operands);
  if (!groups) {
    return tl::unexpected(groups.error());
  }
  if (bound_.size() == kKept) {
    bound_.erase(bound_.begin());
  }
  bound_.push_back({ids, std::move(*groups)});
  return &bound_.back().groups;
}

Result<std::vector<Handle<WGPUBindGroup>>> PreparedPlanData::create_groups(
    const OperandBuffers& operands) const {
  const Functions& gpu = device_->gpu();
  std::vector<Handle<WGPUBindGroup>> groups;
  ErrorScope scope(*device_);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const Step& step = plan_.steps[i];
    const Stage& stage = stages_[i];
    std::vector<WGPUBindGroupEntry> entries;
    for (const Binding& binding : step.bindings) {
      // Exactly the plan's bytes: what lies behind them in a larger buffer stays out of a shader's reach.
      WGPUBindGroupEntry entry{};
      entry.binding = binding.index;
      entry.buffer = buffer_of(binding.buffer, operands)->get();
      entry.offset = binding.offset;
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
    groups.emplace_back(gpu.DeviceCreateBindGroup(device_->get(), &descriptor), gpu.BindGroupRelease);
  }
  if (Result<void> closed = scope.close(ErrorCode::validation, plan_.kernel); !closed) {
    return tl::unexpected(closed.error());
  }
  return groups;
}

void PreparedPlanData::encode(WGPUComputePassEncoder pass, const std::vector<Handle<WGPUBindGroup>>& groups,
                              std::size_t step, std::size_t dispatch) const {
  const Functions& gpu = device_->gpu();
  const Stage& stage = stages_[step];
  const std::array<std::uint32_t, 3>& workgroups = plan_.steps[step].dispatches[dispatch].workgroups;
  gpu.ComputePassEncoderSetPipeline(pass, stage.pipeline->handle.get());
  const bool uniforms = stage.uniform_bytes > 0;
  gpu.ComputePassEncoderSetBindGroup(pass, 0, groups[step].get(), uniforms ? 1 : 0,
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
