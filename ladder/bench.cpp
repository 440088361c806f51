#include "ladder/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "verify/guards.hpp"
#include "verify/verify.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::ladder {
namespace {

constexpr double kReferenceTerms = 1e9;  ///< products that a reference may take: well below a second

/// What the planner names as missing where a device has no matrix units.
constexpr std::string_view kMatrixUnits = "subgroup_matrix";

Status status_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::unsupported:
      return Status::unsupported;
    case ErrorCode::device_lost:
    case ErrorCode::timeout:  // whatever holds the device up would hold up every row after it
      return Status::device_lost;
    default:
      return Status::failed;
  }
}

void set_error(Row& row, const Error& error) {
  row.status = status_of(error);
  row.reason = error.message;
}

void set_verdict(Row& row, const verify::Verdict& verdict) {
  row.error_over_bound = verdict.error_over_bound;
  row.exact = verdict.exact;
  if (verdict.ok) return;
  row.status = Status::wrong;
  row.reason = verdict.reason;
}

/// Bounds checks can be left out only where the plan proves that they are needless.
bool runs_unchecked(const Context& context, const Plan& plan) {
  return context.unchecked_shaders() &&
         std::ranges::all_of(plan.shaders, [](const Shader& shader) { return shader.proven_in_bounds; });
}

/// Time of the steps that only copy; unset where the device did not tell steps apart or there are none.
std::optional<double> copies_ms(const Plan& plan, const Measurement& time) {
  if (time.step_ms.size() != plan.steps.size()) return std::nullopt;
  std::optional<double> sum;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (plan.steps[i].kind != StepKind::multiply) sum = sum.value_or(0) + time.step_ms[i];
  }
  return sum;
}

}  // namespace

Bench::Bench(Context& context, Problem problem, const Roofline& roofline, std::uint64_t seed,
             MeasureOptions measuring)
    : context_(context),
      problem_(std::move(problem)),
      roofline_(roofline),
      seed_(seed),
      measuring_(std::move(measuring)) {}

void Bench::fill(Row& row, const Progress& progress) {
  auto done = judge_and_time(row, progress);
  if (!done) set_error(row, done.error());
  if (done || done.error().argument != kMatrixUnits) return;
  progress("checking the emulated dialect", 0);
  if (auto emulated = judge_emulated(row); !emulated) set_error(row, emulated.error());
}

Result<void> Bench::judge_and_time(Row& row, const Progress& progress) {
  auto problem = problem_;
  problem.a.type = problem.b.type = row.operands;
  auto plan = make_plan(problem, context_.profile(), {.kernel = row.kernel, .edges = row.edges});
  if (!plan) return tl::unexpected(plan.error());
  row.kernel = plan->kernel;
  row.intensity = plan->traffic.intensity();
  row.unchecked_shaders = runs_unchecked(context_, *plan);
  if (row.edges == EdgePolicy::padded && plan->steps.size() == 1) {
    row.note = "the sizes are whole tiles already: nothing to copy";
  }
  const auto largest = max_flops();
  if (!largest) return tl::unexpected(largest.error());
  split_dispatches(*plan, *largest);

  progress("compiling and checking", 0);
  if (auto done = judge(row, *plan); !done) return done;
  // The time of a wrong result means nothing.
  if (row.status != Status::ok) return {};
  return time(row, *plan, progress);
}

Result<void> Bench::judge(Row& row, Plan plan) const {
  const auto& problem = plan.problem;
  const double row_terms = static_cast<double>(problem.n) * static_cast<double>(problem.k);
  verify::VerifyOptions options;
  options.seed = seed_;
  options.sampled_rows = static_cast<std::uint64_t>(std::max(2.0, kReferenceTerms / row_terms));
  verify::extend_over_guards(plan, context_.profile().limits);
  auto prepared = context_.prepare(plan);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto verdict = verify::verify(context_, *prepared, options);
  row.start = prepared->start_cost();
  if (!verdict) return tl::unexpected(verdict.error());
  set_verdict(row, *verdict);
  return {};
}

Result<void> Bench::time(Row& row, const Plan& plan, const Progress& progress) {
  auto prepared = context_.prepare(plan);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto sets = operands(row.operands);
  if (!sets) return tl::unexpected(sets.error());
  auto options = measuring_;
  options.progress = [&](double fraction) { progress("measuring", fraction); };
  const auto measured = measure(context_, *prepared, (*sets)->operands(), options);
  if (!measured) return tl::unexpected(measured.error());
  const auto& traffic = plan.traffic;
  const double rate = traffic.flops / (measured->ms * 1e-3);
  row.time = *measured;
  row.copies_ms = copies_ms(plan, *measured);
  row.gflops = rate * 1e-9;
  if (row.operands == DataType::f32) {
    row.roofline_share = rate / roofline_.attainable(traffic.best_intensity());
    if (budget_) budget_->learn(rate);
  }
  return {};
}

Result<double> Bench::max_flops() {
  if (!budget_) {
    auto calibrated = DispatchBudget::calibrate(context_, problem_, roofline_.flops_per_second);
    if (!calibrated) return tl::unexpected(calibrated.error());
    budget_ = *calibrated;
  }
  return budget_->max_flops();
}

Result<const OperandSets*> Bench::operands(DataType type) {
  auto found = operands_.find(type);
  if (found == operands_.end()) {
    auto problem = problem_;
    problem.a.type = problem.b.type = type;
    auto created = OperandSets::create(context_, problem, seed_);
    if (!created) return tl::unexpected(created.error());
    found = operands_.emplace(type, std::move(*created)).first;
  }
  return &found->second;
}

Result<void> Bench::judge_emulated(Row& row) {
  auto profile = context_.profile();
  profile.matrix_dialect = MatrixDialect::emulated;
  const auto family = std::string_view(row.kernel).substr(0, row.kernel.find('_'));
  const auto configurations = list_configurations(family, profile, row.operands);
  if (!configurations) return tl::unexpected(configurations.error());
  row.reason = "no matrix units here: the device lacks the feature chromium-experimental-subgroup-matrix";
  if (configurations->empty()) {
    row.reason += ", and the emulated dialect does not fit it either";
    return {};
  }
  // Small, with edges in every direction: an emulated unit is slow.
  Problem problem;
  problem.m = std::min<std::uint64_t>(problem_.m, 45);
  problem.n = std::min<std::uint64_t>(problem_.n, 39);
  problem.k = std::min<std::uint64_t>(problem_.k, 43);
  const auto plan = make_plan(problem, profile, {.kernel = configurations->front()});
  if (!plan) return tl::unexpected(plan.error());
  row.kernel = plan->kernel;
  if (auto done = judge(row, *plan); !done) return done;
  if (row.status == Status::unsupported)
    row.reason += fmt::format("; emulated dialect verified on {}: ok", describe(problem));
  return {};
}

}  // namespace wgemm::ladder
