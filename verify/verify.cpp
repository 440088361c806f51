#include "verify/verify.hpp"

#include "verify/guards.hpp"

namespace wgemm::verify {

Result<Verdict> verify(Context& context, PreparedPlan& prepared, const VerifyOptions& options) {
  return Exam(prepared.plan().problem, context.profile().limits, options.seed, options.sampled_rows,
              Exam::Keep::no)
      .take(context, prepared, options.prepare_b);
}

Result<Verdict> verify(Context& context, const Problem& problem, const PlanOptions& plan_options,
                       const VerifyOptions& options) {
  auto plan = context.plan(problem, plan_options);
  if (!plan) return tl::unexpected(plan.error());
  extend_over_guards(*plan, context.profile().limits);
  auto prepared = context.prepare(*plan);
  if (!prepared) return tl::unexpected(prepared.error());
  return verify(context, *prepared, options);
}

}  // namespace wgemm::verify
