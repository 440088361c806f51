#include "verify/verify.hpp"

#include <utility>

#include "core/checking/rows.hpp"
#include "verify/guards.hpp"
#include "verify/host_matrix.hpp"
#include "verify/inputs.hpp"
#include "verify/judge.hpp"
#include "verify/reference.hpp"
#include "verify/trial.hpp"

namespace wgemm::verify {

namespace {

/// One part of the check: runs `operands` and judges the result, whose memory ends with the call.
template <typename Judge>
Result<Judgement> judge_run(Trial& trial, const Operands& operands, const Judge& judge) {
  return trial.run(operands).map([&](const HostMatrix& c) { return judge(c); });
}

}  // namespace

Result<Verdict> verify(Context& context, PreparedPlan& prepared, const VerifyOptions& options) {
  const auto& problem = prepared.plan().problem;
  const auto largest_bytes = largest_operand(context.profile().limits);
  const auto rows = checking::sample_rows(problem.m, options.sampled_rows, options.seed);
  Trial trial(context, prepared);

  auto operands = uniform_operands(problem, options.seed, largest_bytes);
  const auto bounded = judge_run(trial, operands, [&](const HostMatrix& c) {
    return judge_bound(c, problem.k, rows, reference_rows(operands.a, operands.b, rows, Magnitude::compute));
  });
  if (!bounded) return tl::unexpected(bounded.error());
  operands = integer_operands(problem, options.seed, largest_bytes);
  const auto exact = judge_run(trial, operands, [&](const HostMatrix& c) {
    return judge_exact(c, rows, reference_rows(operands.a, operands.b, rows, Magnitude::skip));
  });
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
  auto plan = make_plan(problem, context.profile(), plan_options);
  if (!plan) return tl::unexpected(plan.error());
  extend_over_guards(*plan, context.profile().limits);
  auto prepared = context.prepare(*plan);
  if (!prepared) return tl::unexpected(prepared.error());
  return verify(context, *prepared, options);
}

}  // namespace wgemm::verify
