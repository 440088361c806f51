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

Result<Verdict> verify(Context& context, PreparedPlan& prepared, const VerifyOptions& options) {
  const auto& problem = prepared.plan().problem;
  const auto largest_bytes = largest_operand(context.profile().limits);
  const auto rows = checking::sample_rows(problem.m, options.sampled_rows, options.seed);
  Trial trial(context, prepared);

  const auto uniform = uniform_operands(problem, options.seed, largest_bytes);
  const auto product = trial.run(uniform);
  if (!product) return tl::unexpected(product.error());
  const auto bounded =
      judge_bound(*product, problem.k, rows, reference_rows(uniform.a, uniform.b, rows, Magnitude::compute));

  const auto integers = integer_operands(problem, options.seed, largest_bytes);
  const auto integer_product = trial.run(integers);
  if (!integer_product) return tl::unexpected(integer_product.error());
  const auto exact =
      judge_exact(*integer_product, rows, reference_rows(integers.a, integers.b, rows, Magnitude::skip));

  Verdict verdict;
  verdict.ok = bounded.fault.empty() && exact.fault.empty();
  verdict.error_over_bound = bounded.error_over_bound;
  verdict.exact = exact.fault.empty();
  verdict.compared = bounded.compared;
  if (!bounded.fault.empty()) {
    verdict.reason = "random inputs: " + bounded.fault;
  } else if (!exact.fault.empty()) {
    verdict.reason = "small integers: " + exact.fault;
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
