#include "bench/dispatch_budget.hpp"

#include <algorithm>

#include "bench/operand_sets.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::bench {
namespace {

/// Watchdogs bite after two seconds (Windows) or more; an estimate may be wrong by a factor of some.
constexpr double kDispatchSeconds = 0.25;
/// Of the peak, what even a kernel that uses one lane of a subgroup and no cache line twice exceeds.
constexpr double kHopelessShare = 1.0 / 2000;
constexpr double kPieceSeconds = 0.05;

double piece_flops(double peak) { return peak * kHopelessShare * kPieceSeconds; }

}  // namespace

bool DispatchBudget::is_harmless(const Problem& problem, double peak) {
  return problem.flops() <= piece_flops(peak);
}

Result<DispatchBudget> DispatchBudget::calibrate(Context& context, const Problem& problem, double peak) {
  auto plan = make_plan(problem, context.profile(), {.kernel = "naive", .split_k = 1});
  if (!plan) return tl::unexpected(plan.error());
  split_dispatches(*plan, piece_flops(peak));
  auto& multiply = plan->steps.back();
  const auto workgroups = [](const Dispatch& dispatch) {
    return static_cast<double>(dispatch.workgroups[0]) * static_cast<double>(dispatch.workgroups[1]) *
           static_cast<double>(dispatch.workgroups[2]);
  };
  double all = 0;
  for (const auto& dispatch : multiply.dispatches) all += workgroups(dispatch);
  multiply.dispatches.resize(1);
  const double flops = problem.flops() * workgroups(multiply.dispatches.front()) / all;

  auto prepared = context.prepare(*plan);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto sets = OperandSets::create_empty(context, problem);
  if (!sets) return tl::unexpected(sets.error());
  const auto operands = sets->operands();
  // The first run compiles.
  if (auto done = context.run(*prepared, operands.front()); !done) return tl::unexpected(done.error());
  const auto span = context.time(*prepared, operands, 1);
  if (!span) return tl::unexpected(span.error());
  constexpr double kShortestMs = 1e-3;
  return DispatchBudget(flops / (std::max(span->total_ms, kShortestMs) * 1e-3) / 2);
}

double DispatchBudget::max_flops() const { return expected_ * kDispatchSeconds; }

void DispatchBudget::learn(double flops_per_second) { expected_ = std::max(expected_, flops_per_second / 4); }

}  // namespace wgemm::bench
