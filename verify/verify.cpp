#include "verify/verify.hpp"

#include <algorithm>
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

/// What is wrong in the rows that the identity does not vouch for; empty where nothing is. A few at a time:
/// a wrong result shows in the first ones.
std::string fault_of_doubtful_rows(const HostProblem& given, std::span<const std::byte> c,
                                   std::uint64_t seed) {
  constexpr std::size_t kAtOnce = 16;
  const auto rows = find_doubtful_rows(given, c, seed);
  for (std::size_t begin = 0; begin < rows.size(); begin += kAtOnce) {
    const auto some = std::span(rows).subspan(begin, std::min(kAtOnce, rows.size() - begin));
    auto fault = judge_exact(given, c, some).fault;
    if (!fault.empty()) return fault;
  }
  return {};
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
    judgement.fault = fault_of_doubtful_rows(given, c, options.seed);
    identity = judgement.fault.empty();
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
  auto plan = context.plan(problem, plan_options);
  if (!plan) return tl::unexpected(plan.error());
  extend_over_guards(*plan, context.profile().limits);
  auto prepared = context.prepare(*plan);
  if (!prepared) return tl::unexpected(prepared.error());
  return verify(context, *prepared, options);
}

}  // namespace wgemm::verify
