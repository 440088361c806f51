// A plan's objects on a device: pipelines, uniform blocks, scratch memory, and the bind groups of the
// operands in use.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "native/context/device_buffer.hpp"
#include "native/execute/pipeline.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::native {

/// The caller's memory for one product, by BufferRole; nullptr where the plan has no buffer of that role.
using OperandBuffers = std::array<const DeviceBuffer*, kCallerBuffers>;

class PreparedPlanData {
 public:
  /// Errors: unsupported (a feature or limit that the plan needs), compilation, out_of_memory, device_lost.
  static Result<PreparedPlanData> prepare(const std::shared_ptr<Device>& device, const Plan& plan,
                                          PipelineCache* cache = nullptr);

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const std::shared_ptr<Device>& device() const { return device_; }

  /// Checks the operands against the plan. Errors: invalid_argument, naming the operand.
  [[nodiscard]] Result<void> check_operands(const OperandBuffers& operands) const;

  /// The bind group of every step for these operands; kept for the next time. Valid until the next call.
  Result<const std::vector<Handle<WGPUBindGroup>>*> bind(const OperandBuffers& operands);

  /// Sets the pipeline of a step, and its bindings for one dispatch, and dispatches.
  void encode(WGPUComputePassEncoder pass, const std::vector<Handle<WGPUBindGroup>>& groups, std::size_t step,
              std::size_t dispatch) const;

  [[nodiscard]] std::size_t dispatch_count() const;

  StartCost cost;
  /// Time of one run as last seen; 0 while unknown, an overestimate while `cold`.
  double estimate_ms = 0;
  /// The only run so far was the first, in which drivers compile.
  bool cold = true;

 private:
  struct Stage {
    std::shared_ptr<const Pipeline> pipeline;
    std::uint64_t uniform_bytes = 0;             ///< size of the uniform binding; 0 without uniforms
    std::vector<std::uint32_t> uniform_offsets;  ///< by dispatch, into uniforms_
  };
  struct BoundOperands {
    std::array<std::uint64_t, kCallerBuffers> ids{};
    std::vector<Handle<WGPUBindGroup>> groups;
  };

  Result<void> check_plan() const;
  Result<void> create_pipelines(PipelineCache& cache);
  Result<void> create_uniforms();
  Result<void> create_scratch();
  Result<std::vector<Handle<WGPUBindGroup>>> create_groups(const OperandBuffers& operands) const;
  [[nodiscard]] const DeviceBuffer* buffer_of(std::uint32_t index, const OperandBuffers& operands) const;

  std::shared_ptr<Device> device_;
  Plan plan_;
  std::vector<Stage> stages_;
  DeviceBuffer uniforms_;
  std::vector<DeviceBuffer> scratch_;  ///< and constants, by index of Plan::buffers; empty for the caller's
  std::vector<BoundOperands> bound_;   ///< the most recently used last
};

}  // namespace wgemm::native
