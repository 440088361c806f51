#include "tune/tune.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "bench/bench.hpp"
#include "core/kernels/kernel.hpp"
#include "core/selection/choice.hpp"
#include "core/selection/device_model.hpp"
#include "core/tuning/search_order.hpp"
#include "tune/journal.hpp"
#include "wgemm/async.hpp"
#include "wgemm/measure.hpp"

namespace wgemm::tune {
namespace {

constexpr int kMostLosses = 3;
/// How often somebody is asked whether they would rather stop.
constexpr std::chrono::milliseconds kLook(100);

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Kernels to compile at once: drivers take a core each.
std::size_t cores() { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16); }

std::string date() {
  const auto time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time));
}

/// Many short measurements instead of few long ones: what matters is which kernel is the fastest. The clocks
/// of an H200 fall while the host computes a reference: after 60 ms of work kernels still took up to 5.7
/// times their time there, after 220 ms none did.
MeasureOptions measuring() {
  MeasureOptions options;
  options.warm_up_ms = 250;
  options.minimum_span_ms = 10;
  options.maximum_samples = 11;
  options.budget_ms = 400;
  return options;
}

class Tuner {
 public:
  Tuner(Context& context, const Options& options, const Observer& observer, Journal journal)
      : context_(context), options_(options), observer_(observer), journal_(std::move(journal)) {}

  Result<Report> run() {
    const double deadline = now() + options_.budget_seconds;
    const auto& model = selection::device_model(context_.profile());
    // The bench sizes its first, careful dispatch by it; a measured one would cost seconds.
    roofline_.flops_per_second = model.fma_rate;
    roofline_.bytes_per_second = model.memory_rate;
    renew_bench();
    Report report;
    report.skipped_lines = journal_.skipped_lines();
    for (std::size_t i = 0; i < options_.problems.size(); ++i) {
      if (options_.stopped()) break;
      const double share = (deadline - now()) / static_cast<double>(options_.problems.size() - i);
      const auto& problem = options_.problems[i];
      observer_.begun(problem, i);
      report.problems.push_back(one(problem, now() + share));
      const auto& found = report.problems.back().found;
      observer_.ended(found);
      if (auto done = keep(report.problems.back()); !done) return tl::unexpected(done.error());
      if (found.error) return tl::unexpected(*found.error);
    }
    report.stopped = options_.stopped();
    return report;
  }

 private:
  ProblemReport one(const Problem& problem, double deadline) {
    const auto profile = context_.profile();  // a copy: a lost device takes its own along
    ProblemReport report{problem, {}, tuning::candidate_checksum(problem, profile)};
    const Session session{tuning_device(profile), tuning_problem(problem), context_.unchecked_shaders(),
                          report.candidates};
    const Lab lab{.now = now,
                  .stopped = options_.stopped,
                  .recall = [&](std::string_view kernel, std::uint32_t split_k) -> std::optional<Trial> {
                    if (options_.fresh) return std::nullopt;
                    return journal_.recall(session, kernel, split_k);
                  },
                  .compile = [&](auto choices) { compile(session, problem, choices); },
                  .at_once = at_once(session),
                  .measure =
                      [&](Trial& trial) {
                        return journal_.begin(session, trial)
                            .and_then([&] { return measure(problem, trial); })
                            .and_then([&] { return journal_.end(session, trial, date(), options_.tool); });
                      },
                  .finished = observer_.finished};
    report.found = search(problem, profile, deadline, lab);
    return report;
  }

  [[nodiscard]] std::size_t at_once(const Session& session) const {
    if (!options_.fresh && journal_.died_compiling(session)) return 1;
    if (options_.at_once != 0) return options_.at_once;
    return context_.profile().type == AdapterType::software ? 1 : cores();
  }

  /// Several at once, while nothing is measured. What fails does so again, and is told, when it is measured.
  void compile(const Session& session, const Problem& problem, std::span<const selection::Choice> choices) {
    if (!journal_.begin_compiling(session)) return;
    std::vector<Task<std::vector<PreparedPlan>>> tasks;
    tasks.reserve(choices.size());
    for (const auto& choice : choices) {
      auto plan = context_.plan(problem, {.kernel = kernels::name(choice.kernel), .split_k = choice.split_k});
      if (plan) tasks.push_back(context_.prepare_async(std::vector{std::move(*plan)}));
    }
    const Trial next{.kernel = kernels::name(choices.front().kernel), .split_k = choices.front().split_k};
    const auto activity = tasks.size() == 1 ? "compiling" : fmt::format("compiling {} kernels", tasks.size());
    for (std::size_t done = 0; done < tasks.size(); ++done) {
      do {
        observer_.progress(next, activity, static_cast<double>(done) / static_cast<double>(tasks.size()));
        if (options_.stopped()) std::ranges::for_each(tasks, &Task<std::vector<PreparedPlan>>::cancel);
      } while (!tasks[done].wait_for(kLook));
    }
    static_cast<void>(journal_.end_compiling(session));
  }

  /// Errors: a device that is lost for good.
  Result<void> measure(const Problem& problem, Trial& trial) {
    bench::Outcome outcome;
    const bench::Job job{.problem = problem, .options = {.kernel = trial.kernel, .split_k = trial.split_k}};
    const auto done = bench_->run(outcome, job, [&](std::string_view activity, double fraction) {
      observer_.progress(trial, activity, fraction);
    });
    if (!done) bench::set_error(outcome, done.error());
    trial.status = outcome.status;
    trial.reason = outcome.reason;
    trial.error_over_bound = outcome.error_over_bound;
    if (outcome.time) {
      trial.seconds = outcome.time->ms * 1e-3;
      trial.spread = outcome.time->spread;
    }
    if (trial.ok() && trial.seconds <= 0) {
      trial.status = bench::Status::failed;
      trial.reason = "it is shorter than the clock can tell";
    }
    if (trial.status != bench::Status::device_lost) return {};
    return reopen();
  }

  Result<void> reopen() {
    if (++losses_ > kMostLosses) {
      return fail(ErrorCode::device_lost, "device",
                  fmt::format("the device was lost {} times; what was measured is kept", losses_));
    }
    bench_.reset();  // its buffers belong to the lost device
    if (auto done = context_.reopen(); !done) return done;
    renew_bench();
    return {};
  }

  void renew_bench() {
    bench_ = std::make_unique<bench::Bench>(context_, roofline_, options_.seed, measuring());
  }

  /// Errors: those of Options::known and Observer::keep.
  Result<void> keep(ProblemReport& report) const {
    const auto& found = report.found;
    if (!found.best) return {};
    const auto entry = entry_of(report.problem, *found.best, found.heuristic_seconds);
    if (!found.complete && options_.known) {
      const auto known = options_.known();
      if (!known) return tl::unexpected(known.error());
      report.remains = std::ranges::any_of(
          known->entries, [&](const TuningEntry& other) { return is_better(other, entry, report); });
    }
    return report.remains ? Result<void>{} : observer_.keep(entry);
  }

  /// Whether a choice from before is to remain: faster, and not known to be of no use by now.
  [[nodiscard]] bool is_better(const TuningEntry& known, const TuningEntry& entry,
                               const ProblemReport& report) const {
    if (known.device != entry.device || known.problem != entry.problem ||
        known.unchecked_shaders != entry.unchecked_shaders || known.seconds >= entry.seconds)
      return false;
    const bool failed = std::ranges::any_of(report.found.trials, [&](const Trial& trial) {
      return !trial.ok() && trial.kernel == known.kernel && trial.split_k == known.split_k;
    });
    return !failed &&
           context_.plan(report.problem, {.kernel = known.kernel, .split_k = known.split_k}).has_value();
  }

  [[nodiscard]] TuningEntry entry_of(const Problem& problem, const Trial& best,
                                     double heuristic_seconds) const {
    return {.device = tuning_device(context_.profile()),
            .problem = tuning_problem(problem),
            .kernel = best.kernel,
            .split_k = best.split_k,
            .seconds = best.seconds,
            .heuristic_seconds = heuristic_seconds,
            .unchecked_shaders = context_.unchecked_shaders(),
            .date = date(),
            .tool = options_.tool};
  }

  Context& context_;
  const Options& options_;
  const Observer& observer_;
  Journal journal_;
  Roofline roofline_;
  std::unique_ptr<bench::Bench> bench_;
  int losses_ = 0;
};

}  // namespace

Result<Report> tune(Context& context, const Options& options, const Observer& observer) {
  const auto& profile = context.profile();
  if (profile.type == AdapterType::software && !options.software) {
    return fail(ErrorCode::unsupported, "software",
                fmt::format("'{}' is a software adapter, whose figures say nothing of a GPU", profile.name));
  }
  for (const auto& problem : options.problems) {
    if (auto done = validate(problem); !done) return tl::unexpected(done.error());
  }
  auto journal = Journal::open(options.journal);
  if (!journal) return tl::unexpected(journal.error());
  return Tuner(context, options, observer, std::move(*journal)).run();
}

}  // namespace wgemm::tune
