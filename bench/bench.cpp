#include "bench/bench.hpp"

#include <algorithm>
#include <numeric>

#include "bench/passes.hpp"
#include "core/caller_buffers.hpp"
#include "verify/guards.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::bench {
namespace {

constexpr double kReferenceTerms = 1e9;  ///< products that a reference may take: well below a second
constexpr std::size_t kOperandsKept = 2;
/// A verdict on larger operands asks anew each time: it would keep twice that in the host's memory.
constexpr std::uint64_t kExamBytes = 512ULL << 20U;

/// Bounds checks can be left out only where the plan proves that they are needless.
bool runs_unchecked(const Context& context, const Plan& plan) {
  return context.unchecked_shaders() &&
         std::ranges::all_of(plan.shaders, [](const Shader& shader) { return shader.proven_in_bounds; });
}

/// Whether it is what the planner chooses for the problem, named or not.
bool is_own_choice(const Context& context, const Plan& plan) {
  const auto own = make_plan(plan.problem, context.profile(), {}, &context.tuning());
  return own && own->kernel == plan.kernel && own->split_k == plan.split_k;
}

/// Time of the steps that copy or add up parts of k; unset where the device did not tell steps apart or there
/// are none.
std::optional<double> copies_ms(const Plan& plan, const Measurement& time) {
  if (time.step_ms.size() != plan.steps.size()) return std::nullopt;
  std::optional<double> sum;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (plan.steps[i].kind != StepKind::multiply) sum = sum.value_or(0) + time.step_ms[i];
  }
  return sum;
}

/// The peak is of f32 and other types may have a higher one, but the bandwidth is theirs too.
bool is_under_roofline(const Problem& problem, const Traffic& traffic, const Roofline& roofline) {
  const bool f32 = problem.a.type == DataType::f32 && problem.quantization.block == 0;
  return f32 || traffic.best_intensity() * roofline.bytes_per_second <= roofline.flops_per_second;
}

}  // namespace

Bench::Bench(Context& context, const Roofline& roofline, std::uint64_t seed, MeasureOptions measuring)
    : context_(context), roofline_(roofline), seed_(seed), measuring_(std::move(measuring)) {}

Result<Bench::Planned> Bench::planned(const Job& job) const {
  auto options = job.options;
  // Weights are prepared as numbers.
  if (job.prepare_b && job.problem.quantization.block != 0) options.dequantise = true;
  auto plan = context_.plan(job.problem, options);
  if (!plan) return tl::unexpected(plan.error());
  // A kernel that somebody names may be slow enough for a watchdog; the planner's own is timed as it is.
  const bool cautious = !options.kernel.empty() && options.max_dispatch_flops == 0 &&
                        !DispatchBudget::is_harmless(job.problem, roofline_.flops_per_second) &&
                        !is_own_choice(context_, *plan);
  return Planned{std::move(*plan), std::move(options), cautious};
}

Result<void> Bench::run(Outcome& outcome, const Job& job, const Progress& progress) {
  auto made = planned(job);
  if (!made) return tl::unexpected(made.error());
  auto& plan = made->plan;
  outcome.kernel = plan.kernel;
  outcome.intensity = plan.traffic.intensity();
  outcome.unchecked_shaders = runs_unchecked(context_, plan);
  outcome.split_k = plan.split_k;
  progress("compiling and checking", 0);
  auto judged = plan;
  if (made->cautious) {
    const auto budget = budget_of(job.problem);
    if (!budget) return tl::unexpected(budget.error());
    split_dispatches(judged, budget->max_flops());
  }
  const auto prepare_b = job.prepare_b ? std::optional(made->options) : std::nullopt;
  if (auto done = judge(outcome, std::move(judged), prepare_b); !done) return done;
  if (job.prepare_b) {
    auto split = split_operand(plan, Matrix::b);
    if (split.prepare.steps.empty()) outcome.note = "nothing to prepare: the kernel takes B as it lies";
    plan = std::move(split.use);
  }
  outcome.steps = plan.steps.size();
  // The time of a wrong result means nothing.
  if (outcome.status != Status::ok) return {};
  return time(outcome, std::move(*made), job, progress);
}

Result<void> Bench::run_again(Outcome& outcome, const Job& job, const Progress& progress) {
  auto made = planned(job);
  if (!made) return tl::unexpected(made.error());
  if (job.prepare_b) made->plan = split_operand(made->plan, Matrix::b).use;
  return time(outcome, std::move(*made), job, progress);
}

Result<void> Bench::judge(Outcome& outcome, Plan plan, const std::optional<PlanOptions>& prepare_b) {
  verify::extend_over_guards(plan, context_.profile().limits);
  if (prepare_b) plan = split_operand(plan, Matrix::b).use;
  auto prepared = context_.prepare(plan);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto verdict = exam_of(plan.problem).take(context_, *prepared, prepare_b);
  outcome.start = prepared->start_cost();
  if (!verdict) return tl::unexpected(verdict.error());
  outcome.error_over_bound = verdict->error_over_bound;
  outcome.exact = verdict->exact;
  outcome.compared = verdict->compared;
  outcome.identity = verdict->identity;
  if (!verdict->ok) {
    outcome.status = Status::wrong;
    outcome.reason = verdict->reason;
  }
  return {};
}

Result<void> Bench::time(Outcome& outcome, Planned planned, const Job& job, const Progress& progress) {
  auto& plan = planned.plan;
  const auto sets = operands(plan.problem);
  if (!sets) return tl::unexpected(sets.error());
  std::optional<PreparedSets> ready;
  if (job.prepare_b) {
    auto made = PreparedSets::create(context_, job.problem, planned.options, **sets);
    if (!made) return tl::unexpected(made.error());
    ready = std::move(*made);
  }
  const auto operands = ready ? ready->operands() : (*sets)->operands();
  if (planned.cautious) {
    if (auto done = cut(plan, operands); !done) return done;
  }
  auto prepared = context_.prepare(plan);
  if (!prepared) return tl::unexpected(prepared.error());
  auto options = measuring();
  options.progress = [&](double fraction) { progress("measuring", fraction); };
  const auto measured = measure(context_, *prepared, operands, options);
  if (!measured) return tl::unexpected(measured.error());
  measured_ = std::chrono::steady_clock::now();
  // Times by different clocks do not mix.
  if (!outcome.passes.empty() && outcome.passes.front().source != measured->source) return {};
  outcome.passes.push_back(*measured);
  rate(outcome, plan, combine(outcome.passes));
  return {};
}

MeasureOptions Bench::measuring() const {
  // Clocks fall within tenths of a second.
  constexpr std::chrono::milliseconds kStillWarm(100);
  constexpr double kWarmUpMs = 60;
  auto options = measuring_;
  if (measured_ && std::chrono::steady_clock::now() - *measured_ < kStillWarm) {
    options.warm_up_ms = std::min(options.warm_up_ms, kWarmUpMs);
  }
  return options;
}

Result<void> Bench::cut(Plan& plan, std::span<const Operands> operands) {
  auto budget = budget_of(plan.problem);
  if (!budget) return tl::unexpected(budget.error());
  auto pieces = plan;
  split_dispatches(pieces, budget->max_flops());
  auto prepared = context_.prepare(pieces);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto span = context_.time(*prepared, operands, 1);
  if (!span) return tl::unexpected(span.error());
  constexpr double kShortestMs = 1e-3;
  budget->learn(plan.traffic.flops / (std::max(span->total_ms, kShortestMs) * 1e-3));
  split_dispatches(plan, budget->max_flops());
  return {};
}

void Bench::rate(Outcome& outcome, const Plan& plan, const Measurement& measured) const {
  const auto& traffic = plan.traffic;
  const double seconds = measured.ms * 1e-3;
  const double rate = traffic.flops / seconds;
  outcome.time = measured;
  outcome.copies_ms = copies_ms(plan, measured);
  outcome.gflops = rate * 1e-9;
  outcome.gigabytes_per_second = traffic.compulsory_bytes / seconds * 1e-9;
  if (is_under_roofline(plan.problem, traffic, roofline_)) {
    outcome.roofline_share = rate / roofline_.attainable(traffic.best_intensity());
  }
}

Result<DispatchBudget> Bench::budget_of(const Problem& problem) {
  const auto sizes = describe(problem);
  auto found = budgets_.find(sizes);
  if (found == budgets_.end()) {
    auto calibrated = DispatchBudget::calibrate(context_, problem, roofline_.flops_per_second);
    if (!calibrated) return tl::unexpected(calibrated.error());
    found = budgets_.emplace(sizes, *calibrated).first;
  }
  return found->second;
}

Result<const OperandSets*> Bench::operands(const Problem& problem) {
  auto found = std::ranges::find(operands_, problem, &std::pair<Problem, OperandSets>::first);
  if (found == operands_.end()) {
    // Memory first: two sets for a large product may be more than the device has.
    if (operands_.size() >= kOperandsKept) operands_.pop_front();
    auto created = OperandSets::create(context_, problem, seed_);
    if (!created) return tl::unexpected(created.error());
    found = operands_.emplace(operands_.end(), problem, std::move(*created));
  }
  return &found->second;
}

verify::Exam& Bench::exam_of(const Problem& problem) {
  if (exam_ && exam_->problem() == problem) return *exam_;
  const double row_terms = static_cast<double>(problem.n) * static_cast<double>(problem.k) *
                           static_cast<double>(problem.batch.count());
  const auto sampled_rows =
      static_cast<std::uint64_t>(std::max(2.0, kReferenceTerms / std::max(1.0, row_terms)));
  const auto bytes = caller_bytes(problem);
  const bool keep = std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}) <= kExamBytes;
  exam_.reset();  // its memory goes first
  return exam_.emplace(problem, context_.profile().limits, seed_, sampled_rows,
                       keep ? verify::Exam::Keep::yes : verify::Exam::Keep::no);
}

}  // namespace wgemm::bench
