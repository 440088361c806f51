// What an executor relies on in a plan that did not come from the planner.
#pragma once

#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::json {

/// Buffers, shaders and steps refer to what is there, and ranges lie inside their buffers. The texts
/// themselves, and whether they write C, are the maker's word: a device's bounds checks hold for them as for
/// any text, since a plan that was read never counts as proven in bounds.
Result<void> check_plan(Plan& plan);

}  // namespace wgemm::json
