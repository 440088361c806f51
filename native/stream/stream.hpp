// Products larger than the memory of a device: panels of the matrices pass through it one after the other.
#pragma once

#include "native/context/context_impl.hpp"

namespace wgemm::native {

/// As Context::multiply, whose operands are checked, within ContextOptions::memory_cap bytes of device memory
/// (0: as the limits allow). The next inputs are copied in while a panel is multiplied. The same bits come
/// out on every run: the order of sums depends on the problem and the cap alone. An error leaves the panels
/// of C that were finished before it. C lies in the memory of no input. Errors: also unsupported, as
/// plan_streaming.
Result<void> multiply_in_panels(Access::ContextImpl& context, const Problem& problem,
                                const HostOperands& operands, const PlanOptions& options, const Wait& wait);

}  // namespace wgemm::native
