// Steps that copy operands: into another order, into whole tiles filled with zeros, into a type that every
// kernel reads.
#pragma once

#include "core/planning/operand.hpp"
#include "core/planning/product.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::planning {

/// Appends to `plan` the step that copies the matrices of `from` to `to`, its copy_of in arrange.hpp;
/// elements of `to` outside `from` become 0. The batch is the product's; a matrix that its products share is
/// copied once. Weights are dequantised; bytes go into bytes of whole words along k, or into i32.
Result<void> append_copy(Plan& plan, const Product& product, const Operand& from, const Operand& to,
                         const DeviceProfile& profile);

/// Binds the scales and zero points of a quantised operand.
void bind_scales(Step& step, const Operand& operand);

}  // namespace wgemm::planning
