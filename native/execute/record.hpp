// Records prepared plans, and hands them to the queue, without waiting for them.
#pragma once

#include "native/execute/prepared_plan.hpp"

namespace wgemm::native {

/// Records the plan into a compute pass of the application's; never waits.
Result<void> record_plan(PreparedPlanData& prepared, const OperandViews& operands,
                         WGPUComputePassEncoder pass);

/// Hands the plan to the queue in one submission and does not wait: for plans that are known to be short.
/// What goes wrong shows in the next call that waits.
Result<void> submit_once(PreparedPlanData& prepared, const OperandViews& operands, const Wait& wait = {});

}  // namespace wgemm::native
