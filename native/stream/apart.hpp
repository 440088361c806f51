// Whether C has memory of its own.
#pragma once

#include "wgemm/context.hpp"

namespace wgemm::native {

/// Panels of C are written before all of the inputs are read. Errors: invalid_argument, argument c.
Result<void> check_apart(const Problem& problem, const HostOperands& operands);

}  // namespace wgemm::native
