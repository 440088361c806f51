// What the public classes hold, for the files that implement them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "native/context/buffer_pool.hpp"
#include "native/context/plan_cache.hpp"
#include "native/context/workers.hpp"
#include "native/execute/prepared_plan.hpp"
#include "native/execute/timestamps.hpp"
#include "wgemm/context.hpp"

namespace wgemm {

struct Buffer::Impl {
  native::DeviceBuffer memory;
  std::string layout;  ///< PlanBuffer::layout, of a prepared operand
};

struct PreparedPlan::Impl {
  std::shared_ptr<native::PreparedPlanData> data;
};

struct Context::Impl {
  ContextOptions options;
  std::string choice;
  std::shared_ptr<const TuningData> tuning;
  std::shared_ptr<native::Device> device;
  native::PipelineCache pipelines;
  std::shared_ptr<native::BufferPool> pool;
  native::PlanCache plans;
  std::mutex trust_mutex;  ///< of the check of matrix units, and of what it found
  std::vector<MatrixConfig> trusted_matrix_configs;
  std::mutex timing;  ///< one at a time: they share the queries
  std::optional<native::Timestamps> timestamps;
  double timestamp_quantum_ns = 0;
  // Last, so that their threads end before what they use. Compilations are many at once, products one.
  native::Workers compilers{std::clamp<std::size_t>(std::thread::hardware_concurrency(), 4, 16)};
  native::Workers runner{1};

  /// Plans by the measured choices. A choice of ours whose matrix units turn out to be wrong is replaced.
  Result<Plan> plan(const Problem& problem, const PlanOptions& options, const native::Wait& wait);
  Result<PreparedPlan> prepare(const Plan& plan, const native::Wait& wait);
  Result<PreparedPlan> prepare(const Problem& problem, const PlanOptions& options, const native::Wait& wait);
  Result<void> multiply(const Problem& problem, const HostOperands& operands, const PlanOptions& options,
                        const native::Wait& wait);
  Result<void> run(const PreparedPlan& prepared, const native::OperandViews& operands,
                   const native::Wait& wait) const;
  /// Whether the plan was prepared on this context's device.
  [[nodiscard]] Result<void> check_prepared(const PreparedPlan& prepared) const;
  /// Whether the buffer holds memory of this context's device.
  [[nodiscard]] Result<void> check_buffer(std::string_view argument, const Buffer& buffer) const;
};

namespace native {

/// Opens contexts on adapters and devices that are at hand already, and looks inside open ones.
struct Access {
  using ContextImpl = Context::Impl;
  static Result<Context> open(Adapter adapter, const ContextOptions& options, std::string choice);
  static Result<Context> adopt(std::shared_ptr<Device> device, const ContextOptions& options,
                               std::string choice, bool probe);
  static PreparedPlanData& data(const PreparedPlan& prepared) { return *prepared.impl_->data; }
  static PreparedPlan wrap(std::shared_ptr<PreparedPlanData> data) {
    PreparedPlan prepared;
    prepared.impl_ = std::make_shared<PreparedPlan::Impl>(PreparedPlan::Impl{std::move(data)});
    return prepared;
  }
  static bool empty(const PreparedPlan& prepared) { return prepared.impl_ == nullptr; }
  static const DeviceBuffer& memory(const Buffer& buffer) { return buffer.impl_->memory; }
  static OperandView view(const Buffer* buffer) {
    if (buffer == nullptr || !*buffer) {
      return {};
    }
    OperandView view(&buffer->impl_->memory);
    view.layout = &buffer->impl_->layout;
    return view;
  }
  static OperandViews views(const Operands& operands) {
    return {view(operands.a),        view(operands.b),      view(operands.c),    view(operands.bias),
            view(operands.residual), view(operands.scales), view(operands.zeros)};
  }
  static void set_layout(Buffer& buffer, std::string layout) { buffer.impl_->layout = std::move(layout); }
  static const std::string& layout(const Buffer& buffer) { return buffer.impl_->layout; }
  static Context::Impl& impl(const Context& context) { return *context.impl_; }
  static Device& device(const Context& context) { return *context.impl_->device; }
};

/// The error with the kernel and the problem at fault in front of its message.
Error about(Error error, const Plan& plan);

}  // namespace native
}  // namespace wgemm
