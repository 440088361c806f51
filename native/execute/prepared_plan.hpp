// A plan's objects on a device: pipelines, uniform blocks, constants, and the bind groups of the operands in
// use.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "native/context/buffer_pool.hpp"
#include "native/execute/operand_view.hpp"
#include "native/execute/pipeline.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/prepared_plan.hpp"

namespace wgemm::native {

/// Memory for the scratch buffers of a plan, by index of Plan::buffers; empty for all others.
using Scratch = std::vector<PooledBuffer>;

/// The bind group of every step for one set of operands.
struct BoundOperands {
  std::vector<std::uint64_t> key;
  std::vector<Handle<WGPUBindGroup>> groups;
  /// The application's buffers, so that no other buffer gets their address while the key says it.
  std::vector<Handle<WGPUBuffer>> references;
  Counted count;
};

/// What this needs of its context.
struct PlanHome {
  std::shared_ptr<Device> device;
  PipelineCache* pipelines = nullptr;  ///< nullptr: none is shared
  std::shared_ptr<BufferPool> pool;    ///< nullptr: one of its own
};

/// May be used from several threads.
class PreparedPlanData {
 public:
  /// Errors: unsupported (a feature or limit that the plan needs), compilation, out_of_memory, device_lost,
  /// timeout, cancelled.
  static Result<std::shared_ptr<PreparedPlanData>> prepare(const PlanHome& home, const Plan& plan,
                                                           const Wait& wait = {});

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const std::shared_ptr<Device>& device() const { return device_; }
  [[nodiscard]] StartCost cost() const;

  /// Of a buffer of the application's: that the range lies inside it, and that shaders may bind it.
  [[nodiscard]] Result<void> check_range(std::string_view name, const OperandView& view) const;
  /// Checks the operands against the plan. Errors: invalid_argument, naming the operand.
  [[nodiscard]] Result<void> check_operands(const OperandViews& operands) const;

  /// Scratch memory for one run.
  Result<Scratch> take_scratch() const;
  /// The bind groups for these operands and scratch memory; kept for the next time. The operands are checked.
  Result<std::shared_ptr<const BoundOperands>> bind(const OperandViews& operands, const Scratch& scratch);
  /// As above, with scratch memory that stays with the plan: for commands whose submission is not ours.
  Result<std::shared_ptr<const BoundOperands>> bind_for_recording(const OperandViews& operands);
  void forget_operands();

  /// Sets the pipeline of a step, and its bindings for one dispatch, and dispatches.
  void encode(WGPUComputePassEncoder pass, const BoundOperands& bound, std::size_t step,
              std::size_t dispatch) const;

  [[nodiscard]] std::size_t dispatch_count() const;

  /// Takes note of the time of one run.
  void remember(double ms);
  /// Time of one run as last seen; 0 while unknown, an overestimate while `cold`.
  std::atomic<double> estimate_ms{0};
  /// The only run so far was the first, in which drivers compile.
  std::atomic<bool> cold{true};

 private:
  struct Stage {
    std::shared_ptr<const Pipeline> pipeline;
    std::uint64_t uniform_bytes = 0;             ///< size of the uniform binding; 0 without uniforms
    std::vector<std::uint32_t> uniform_offsets;  ///< by dispatch, into uniforms_
  };

  [[nodiscard]] Result<void> check_plan() const;
  Result<void> create_pipelines(PipelineCache& cache, const Wait& wait);
  Result<void> create_uniforms();
  Result<void> create_constants();
  Result<std::shared_ptr<const BoundOperands>> create_groups(const OperandViews& operands,
                                                             const Scratch& scratch) const;
  [[nodiscard]] OperandView view_of(std::uint32_t index, const OperandViews& operands,
                                    const Scratch& scratch) const;

  std::shared_ptr<Device> device_;
  std::shared_ptr<BufferPool> pool_;
  Plan plan_;
  std::vector<Stage> stages_;
  DeviceBuffer uniforms_;
  std::vector<DeviceBuffer> constants_;  ///< by index of Plan::buffers; empty for all others
  mutable std::mutex mutex_;             ///< of what follows
  std::vector<std::shared_ptr<const BoundOperands>> bound_;  ///< the most recently used last
  Scratch recording_scratch_;
  StartCost cost_;
};

}  // namespace wgemm::native
