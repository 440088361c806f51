// Steps that multiply: a kernel over the parts of k, and the sum of those parts.
#pragma once

#include "core/planning/arrange.hpp"
#include "core/planning/product.hpp"
#include "core/planning/uniforms.hpp"
#include "core/planning/variant.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::planning {

/// Sums are stored as they are.
OutputVariant sums_into(const Operand& target);

/// Sums go through the product's epilogue into its C.
OutputVariant finished(const Product& product, Activation activation);

/// Appends to `plan` the step of the placement's kernel that writes `part`, as it was arranged, to where its
/// C says; parts of k lie one behind the other there.
Result<void> append_multiply(Plan& plan, Product part, const OutputVariant& output,
                             const Arrangement& arrangement, const Placement& placement,
                             const DeviceProfile& profile);

/// Appends the step that adds `partials` from where `source` says, and finishes the sum into the product's C.
/// Of no parts nothing is read, but a binding must be there: of a buffer that is not C, which is written.
Result<void> append_reduce(Plan& plan, const Product& product, const OutputVariant& output,
                           const Operand& source, const Partials& partials, const DeviceProfile& profile);

}  // namespace wgemm::planning
