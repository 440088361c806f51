// Steps that copy a matrix: into another order, into whole tiles filled with zeros, or back out of them.
#pragma once

#include "core/planning/operand.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::planning {

/// Appends to `plan` the step that copies `from` to `to`; elements of `to` outside `from` become 0.
Result<void> append_copy(Plan& plan, StepKind kind, const Operand& from, const Operand& to,
                         const DeviceProfile& profile);

}  // namespace wgemm::planning
