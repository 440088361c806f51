// Carries prepared plans out, once or many times against the clock.
#pragma once

#include <span>

#include "native/execute/prepared_plan.hpp"
#include "native/execute/timestamps.hpp"

namespace wgemm::native {

/// Runs the plan once and waits for it.
Result<void> run_once(PreparedPlanData& prepared, const OperandViews& operands, const Wait& wait = {});

/// Runs the plan `repeats` times, repetition i on operands[i % size]. `timestamps` is nullptr where the
/// device has none; then the host's clock is read around the work. One timing at a time on a device.
Result<Span> run_timed(PreparedPlanData& prepared, std::span<const OperandViews> operands,
                       std::uint32_t repeats, bool by_step, const Timestamps* timestamps);

}  // namespace wgemm::native
