// Problems and plan options of the C interface as those of C++.
#pragma once

#include <utility>

#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"
#include "wgemm/wgemm.h"

namespace wgemm::c {

/// Errors: invalid_argument: NULL, a struct that was not initialised, a value that is none of its
/// enumeration's.
Result<Problem> problem_of(const wgemm_problem* problem);

/// What was said of the problem, with its fields called as C has them.
Error in_terms_of_c(Error error);
inline Result<void> in_terms_of_c(Result<void> done) {
  return done ? done : tl::unexpected(in_terms_of_c(std::move(done.error())));
}

/// Errors: invalid_argument: a value of no enumerator.
Result<Matrix> matrix_of(const wgemm_matrix& matrix);

/// NULL means the defaults.
PlanOptions options_of(const wgemm_plan_options* options);

}  // namespace wgemm::c
