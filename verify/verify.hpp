// The verdict on a problem: a kernel is right when its result lies within the componentwise error bound of a
// float64 reference, and equals exactly the result on small integers. In both runs everything around the
// operands is poison, and so is C where it is not read. Where not all rows are
// compared, a randomised identity takes in the others.
#pragma once

#include <cstdint>
#include <optional>

#include "verify/exam.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::verify {

struct VerifyOptions {
  std::uint64_t seed = 1;
  /// Compare at most this many rows of each C (spread over all tiles' rows, first and last included) where
  /// the reference of the whole would take too long; 0 compares all. Poison and guards are always checked
  /// everywhere.
  std::uint64_t sampled_rows = 0;
  /// Where the plan takes a prepared B (split_operand): the options by which B is prepared for it.
  std::optional<PlanOptions> prepare_b;
};

/// Plans, runs and judges one problem on the context. An error means that it could not be run (unsupported,
/// device lost …); a wrong result is a verdict.
Result<Verdict> verify(Context& context, const Problem& problem, const PlanOptions& plan_options,
                       const VerifyOptions& options = {});

/// The same for a plan that is prepared already (emulated dialects, split dispatches, …). Stores behind C are
/// seen only where the plan went through extend_over_guards (verify/guards.hpp) before it was prepared, for
/// an executor binds no byte more than a plan states.
Result<Verdict> verify(Context& context, PreparedPlan& prepared, const VerifyOptions& options = {});

}  // namespace wgemm::verify
