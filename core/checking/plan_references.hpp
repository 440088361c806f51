// Plans are public data: what an executor indexes with is looked at before it does.
#pragma once

#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"

namespace wgemm {

/// Whether steps refer to shaders and buffers that are there, and bind ranges inside their buffers, and
/// shaders are text: wgpu-native ends the process where it is not UTF-8. Errors: invalid_argument, naming the
/// place in the plan ("steps[0].bindings[2].buffer").
Result<void> check_references(const Plan& plan);

}  // namespace wgemm
