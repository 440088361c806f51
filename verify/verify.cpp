#include "verify/verify.hpp"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <utility>

#include "core/checking/rows.hpp"
#include "verify/guards.hpp"
#include "verify/host_problem.hpp"
#include "verify/identity.hpp"
#include "verify/inputs.hpp"
#include "verify/judge.hpp"
#include "verify/trial.hpp"

namespace wgemm::verify {
namespace {

/// What is wrong in a row of which that is known: its first wrong element.
std::string fault_of_row(const HostProblem& given, std::span<const std::byte> c, const RowOfProduct& wrong) {
  auto fault = judge_exact(given, c, std::array{wrong.row}).fault;
  if (!fault.empty()) return fault;
  return fmt::format("row {} of product {} is not that of A B, and no element of it says why", wrong.row,
                     wrong.product);
}

}  // namespace

Result<Verdict> verify(Context& context, PreparedPlan& prepared, const VerifyOptions& options) {
  const auto& problem = prepared.plan().problem;
  const auto largest_bytes = largest_operand(context.profile().limits);
  const auto rows = checking::sample_rows(problem.m, options.sampled_rows, options.seed);
  Trial trial(context, prepared, options.prepare_b);
  bool identity = false;

  // One after the other, so that the memory of the first ends before the second is made.
  const auto judge_run = [&](Numbers numbers, const auto& judge) {
    const auto given = make_inputs(problem, numbers, options.seed, largest_bytes);
    return trial.run(given).map([&](const auto& c) { return judge(given, c, rows); });
  };
  const auto bounded = judge_run(Numbers::uniform, judge_bound);
  if (!bounded) return tl::unexpected(bounded.error());
  const auto exact = judge_run(Numbers::integers, [&](const auto& given, const auto& c, const auto& sampled) {
    auto judgement = judge_exact(given, c, sampled);
    if (sampled.size() == problem.m || !judgement.fault.empty() || !has_identity(problem)) return judgement;
    const auto wrong = find_wrong_row(given, c, options.seed);
    identity = !wrong;
    if (wrong) judgement.fault = fault_of_row(given, c, *wrong);
    return judgement;
  });
  if (!exact) return tl::unexpected(exact.error());

  Verdict verdict;
  verdict.ok = bounded->fault.empty() && exact->fault.empty();
  verdict.error_over_bound = bounded->error_over_bound;
  verdict.exact = exact->fault.empty();
  verdict.compared = bounded->compared;
  verdict.identity = identity;
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
