#include "verify/verify.hpp"

#include <utility>

#include "core/checking/rows.hpp"
#include "verify/guards.hpp"
#include "verify/host_problem.hpp"
#include "verify/inputs.hpp"
#include "verify/judge.hpp"
#include "verify/trial.hpp"

namespace wgemm::verify {

Result<Verdict> verify(Context& context, PreparedPlan& prepared, const VerifyOptions& options) {
  const auto& problem = prepared.plan().problem;
  const auto largest_bytes = largest_operand(context.profile().limits);
  const auto rows = checking::sample_rows(problem.m, options.sampled_rows, options.seed);
  Trial trial(context, prepared);

  // One after the other, so that the memory of the first ends before the second is made.
  const auto judge_run = [&](Numbers numbers, const auto& judge) {
    const auto given = make_inputs(problem, numbers, options.seed, largest_bytes);
    return trial.run(given).map([&](const auto& c) { return judge(given, c, rows); });
  };
  const auto bounded = judge_run(Numbers::uniform, judge_bound);
  if (!bounded) return tl::unexpected(bounded.error());
  const auto exact = judge_run(Numbers::integers, judge_exact);
  if (!exact) return tl::unexpected(exact.error());

  Verdict verdict;
  verdict.ok = bounded->fault.empty() && exact->fault.empty();
  verdict.error_over_bound = bounded->error_over_bound;
  verdict.exact = exact->fault.empty();
  verdict.compared = bounded->compared;
  if (!bounded->fault.empty()) {
    verdict.reason = "random inputs: " + bounded->fault;
  } else if (!exact->fault.empty()) {
    verdict.reason = "small integers: " + exact->fault;
  }
  return verdict;
}

Result<Verdict> verify(Context& context, const Problem& problem, const PlanOptions& plan_options,
                       const VerifyOptions& options) {
  auto plan = make_plan(problem, context.profile(), plan_options, &context.tuning());
  if (!plan) return tl::unexpected(plan.error());
  extend_over_guards(*plan, context.profile().limits);
  auto prepared = context.prepare(*plan);
  if (!prepared) return tl::unexpected(prepared.error());
  return verify(context, *prepared, options);
}

}  // namespace wgemm::verify
