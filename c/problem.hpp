// Problems and plan options of the C interface as those of C++.
#pragma once

#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"
#include "wgemm/wgemm.h"

namespace wgemm::c {

/// Errors: invalid_argument: NULL, a struct that was not initialised, a value that is none of its
/// enumeration's.
Result<Problem> problem_of(const wgemm_problem* problem);

/// NULL means the defaults.
PlanOptions options_of(const wgemm_plan_options* options);

}  // namespace wgemm::c
