#include "wgemm/context.hpp"

#include <fmt/format.h>

#include <utility>

#include "native/context/context_impl.hpp"
#include "native/context/matrix_trust.hpp"
#include "native/execute/run.hpp"

namespace wgemm {

using native::Access;
using native::DeviceBuffer;
using native::Wait;

Error native::about(Error error, const Plan& plan) {
  const bool names = error.code == ErrorCode::invalid_argument || plan.problem.m == 0;
  const std::string problem = names ? "" : " on " + describe(plan.problem);
  error.message = fmt::format("{}{}: {}", plan.kernel, problem, error.message);
  return error;
}

std::string_view to_string(TimingSource source) {
  return source == TimingSource::timestamps ? "timestamps" : "host_clock";
}

std::uint64_t Buffer::size() const { return impl_ ? impl_->memory.size() : 0; }

const Plan& PreparedPlan::plan() const {
  static const Plan empty;
  return impl_ ? impl_->data->plan() : empty;
}
StartCost PreparedPlan::start_cost() const { return impl_ ? impl_->data->cost() : StartCost(); }
void PreparedPlan::forget_operands() {
  if (impl_) {
    impl_->data->forget_operands();
  }
}

Context::Context(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;
Context::~Context() = default;

const DeviceProfile& Context::profile() const { return impl_->device->profile(); }
const ContextOptions& Context::options() const { return impl_->options; }
const TuningData& Context::tuning() const { return *impl_->tuning; }
std::string_view Context::choice() const { return impl_->choice; }
bool Context::unchecked_shaders() const { return impl_->device->unchecked_shaders(); }
double Context::timestamp_quantum_ns() const { return impl_->timestamp_quantum_ns; }

LiveObjects Context::live() const {
  const native::LiveCounts& counts = *impl_->device->counts();
  return {counts.buffers, counts.bytes, impl_->pool->free_bytes(), counts.bind_groups, counts.pipelines};
}

PipelineCacheUse Context::pipeline_cache() const {
  const native::DawnCache* cache = impl_->device->cache();
  return cache != nullptr ? cache->use() : PipelineCacheUse();
}

void Context::trim() {
  impl_->plans.clear();
  impl_->pool->trim();
}

Result<void> Context::Impl::check_prepared(const PreparedPlan& prepared) const {
  if (!prepared) {
    return fail(ErrorCode::invalid_argument, "prepared", "the plan is an empty handle; prepare makes one");
  }
  if (Access::data(prepared).device() != device) {
    return fail(ErrorCode::invalid_argument, "prepared", "the plan was not prepared by this context");
  }
  return {};
}

Result<void> Context::Impl::check_buffer(std::string_view argument, const Buffer& buffer) const {
  if (!buffer) {
    return fail(
        ErrorCode::invalid_argument, std::string(argument),
        fmt::format("{} is an empty handle, without memory; create_buffer makes one with memory", argument));
  }
  if (Access::memory(buffer).device() != device) {
    return fail(ErrorCode::invalid_argument, std::string(argument),
                fmt::format("{} belongs to another context, or to the device before reopen()", argument));
  }
  return {};
}

Result<Plan> Context::Impl::plan(const Problem& problem, const PlanOptions& plan_options, const Wait& wait) {
  for (;;) {
    Result<Plan> plan = make_plan(problem, device->profile(), plan_options, tuning.get());
    if (!plan) {
      return plan;
    }
    const Result<void> trusted = native::trust_matrix_units(*this, *plan, wait);
    if (trusted) {
      return plan;
    }
    // Each denial leaves a configuration less to choose.
    const bool denied = trusted.error().argument == native::kMatrixConfiguration;
    if (!denied || !plan_options.kernel.empty()) {
      return tl::unexpected(trusted.error());
    }
  }
}

Result<PreparedPlan> Context::Impl::prepare(const Plan& plan, const Wait& wait) {
  if (Result<void> trusted = native::trust_matrix_units(*this, plan, wait); !trusted) {
    return tl::unexpected(trusted.error());
  }
  auto data = native::PreparedPlanData::prepare({device, &pipelines, pool}, plan, wait);
  if (!data) {
    return tl::unexpected(native::about(std::move(data.error()), plan));
  }
  return Access::wrap(std::move(*data));
}

Result<PreparedPlan> Context::Impl::prepare(const Problem& problem, const PlanOptions& plan_options,
                                            const Wait& wait) {
  // A lost device still has its plans.
  if (device->errors().lost()) {
    return tl::unexpected(device->check_alive().error());
  }
  native::ProblemKey key = native::key_of(problem, plan_options);
  if (std::optional<PreparedPlan> known = plans.find(key); known) {
    return *std::move(known);
  }
  Result<Plan> planned = plan(problem, plan_options, wait);
  if (!planned) {
    return tl::unexpected(planned.error());
  }
  Result<PreparedPlan> prepared = prepare(*planned, wait);
  if (prepared) {
    plans.keep(std::move(key), *prepared);
  }
  return prepared;
}

Result<PreparedPlan> Context::prepare(const Plan& plan, const CallOptions& call) {
  return impl_->prepare(plan, Wait(call));
}

Result<Plan> Context::plan(const Problem& problem, const PlanOptions& options, const CallOptions& call) {
  if (Result<void> alive = impl_->device->check_alive(); !alive) {
    return tl::unexpected(alive.error());
  }
  return impl_->plan(problem, options, Wait(call));
}

Result<PreparedPlan> Context::prepare(const Problem& problem, const PlanOptions& options,
                                      const CallOptions& call) {
  return impl_->prepare(problem, options, Wait(call));
}

Result<Buffer> Context::create_buffer(std::uint64_t bytes) {
  if (Result<void> alive = impl_->device->check_alive(); !alive) {
    return tl::unexpected(alive.error());
  }
  Result<DeviceBuffer> memory = impl_->pool->create(impl_->device, bytes, native::kOperandUsage);
  if (!memory) {
    return tl::unexpected(memory.error());
  }
  Buffer buffer;
  buffer.impl_ = std::make_shared<Buffer::Impl>(Buffer::Impl{std::move(*memory)});
  return buffer;
}

Result<void> Context::upload(const Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes,
                             const CallOptions& call) {
  if (Result<void> ours = impl_->check_buffer("buffer", buffer); !ours) {
    return ours;
  }
  return native::upload(buffer.impl_->memory, offset, bytes, Wait(call));
}

Result<void> Context::download(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes,
                               const CallOptions& call) {
  if (Result<void> ours = impl_->check_buffer("buffer", buffer); !ours) {
    return ours;
  }
  return native::download(*impl_->pool, buffer.impl_->memory, offset, bytes, Wait(call));
}

Result<void> Context::Impl::run(const PreparedPlan& prepared, const native::OperandViews& operands,
                                const Wait& wait) const {
  if (Result<void> ours = check_prepared(prepared); !ours) {
    return ours;
  }
  Result<void> ran = native::run_once(Access::data(prepared), operands, wait);
  if (!ran) {
    return tl::unexpected(native::about(std::move(ran.error()), prepared.plan()));
  }
  return ran;
}

Result<void> Context::run(PreparedPlan& prepared, const Operands& operands, const CallOptions& call) {
  return impl_->run(prepared, Access::views(operands), Wait(call));
}

Result<void> Context::run(PreparedPlan& prepared, const Buffer& a, const Buffer& b, const Buffer& c) {
  return run(prepared, Operands{&a, &b, &c, nullptr, nullptr, nullptr, nullptr});
}

Result<Span> Context::time(PreparedPlan& prepared, std::span<const Operands> operands, std::uint32_t repeats,
                           bool by_step) {
  if (Result<void> ours = impl_->check_prepared(prepared); !ours) {
    return tl::unexpected(ours.error());
  }
  std::vector<native::OperandViews> sets;
  sets.reserve(operands.size());
  for (const Operands& set : operands) {
    sets.push_back(Access::views(set));
  }
  const native::Timestamps* timestamps = impl_->timestamps ? std::to_address(impl_->timestamps) : nullptr;
  const std::lock_guard turn(impl_->timing);
  Result<Span> span = native::run_timed(Access::data(prepared), sets, repeats, by_step, timestamps);
  if (!span) {
    return tl::unexpected(native::about(std::move(span.error()), prepared.plan()));
  }
  return span;
}

}  // namespace wgemm
