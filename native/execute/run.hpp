// Carries prepared plans out, once or many times against the clock.
#pragma once

#include <span>

#include "native/execute/prepared_plan.hpp"
#include "native/execute/timestamps.hpp"

namespace wgemm::native {

/// Runs the plan once and waits for it.
Result<void> run_once(PreparedPlanData& prepared, const OperandViews& operands, const Wait& wait = {});

/// Hands the plan to the queue in one submission and does not wait: for plans that are known to be short.
/// What goes wrong shows in the next call that waits.
Result<void> submit_once(PreparedPlanData& prepared, const OperandViews& operands, const Wait& wait = {});

/// Runs the plan `repeats` times, repetition i on operands[i % size]. `timestamps` is nullptr where the
/// device has none; then the host's clock is read around the work. One timing at a time on a device.
Result<Span> run_timed(PreparedPlanData& prepared, std::span<const OperandViews> operands,
                       std::uint32_t repeats, bool by_step, const Timestamps* timestamps);

/// Records the plan into a compute pass of the application's; never waits.
Result<void> record_plan(PreparedPlanData& prepared, const OperandViews& operands,
                         WGPUComputePassEncoder pass);

}  // namespace wgemm::native
