// Times a plan: how many repetitions make a span that the clock can tell, then samples until they agree.
#include "wgemm/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "measure/statistics.hpp"

namespace wgemm {

namespace {

/// Encoding a repetition costs the host about a microsecond; more of them than this are no shorter any more.
constexpr std::uint32_t kMostRepeats = 1U << 16;
/// A span counts as resolved from this many steps of the clock on: an error of 2 % at most.
constexpr double kQuanta = 50;

class Sampler {
 public:
  Sampler(Context& context, PreparedPlan& prepared, std::span<const Context::Operands> operands,
          const MeasureOptions& options)
      : context_(context), prepared_(prepared), operands_(operands), options_(options) {}

  Result<Measurement> run() {
    if (Result<void> ready = find_repeats(); !ready) {
      return tl::unexpected(ready.error());
    }
    if (Result<void> warm = raise_clocks(); !warm) {
      return tl::unexpected(warm.error());
    }
    if (Result<void> sampled = sample(); !sampled) {
      return tl::unexpected(sampled.error());
    }
    if (Result<void> stepped = sample_steps(); !stepped) {
      return tl::unexpected(stepped.error());
    }
    report(1);
    return result_;
  }

 private:
  /// One span, its time booked to the budget.
  Result<Span> time(std::uint32_t repeats, bool by_step = false) {
    Result<Span> span = context_.time(prepared_, operands_, repeats, by_step);
    if (span) {
      spent_ms_ += span->total_ms;
    }
    return span;
  }

  [[nodiscard]] double wanted_span_ms() const {
    return std::max(options_.minimum_span_ms, kQuanta * context_.timestamp_quantum_ns() * 1e-6);
  }

  Result<void> find_repeats() {
    while (true) {
      Result<Span> span = time(repeats_);
      if (!span) {
        return tl::unexpected(span.error());
      }
      first_ = *span;
      if (span->total_ms >= wanted_span_ms() || repeats_ == kMostRepeats) {
        return {};
      }
      // A span near zero says little about how many are missing: grow by steps, and aim a little high at the
      // end.
      const double growth = span->total_ms > 0 ? 1.1 * wanted_span_ms() / span->total_ms : 16;
      const double next = std::ceil(repeats_ * std::clamp(growth, 1.1, 16.0));
      repeats_ = static_cast<std::uint32_t>(std::min<double>(next, kMostRepeats));
      report(0);
    }
  }

  /// Keeps the device busy until its clocks are up; what was found to fill a span before is found anew.
  Result<void> raise_clocks() {
    if (context_.profile().type == AdapterType::software || spent_ms_ >= options_.warm_up_ms) {
      return {};
    }
    while (spent_ms_ < options_.warm_up_ms) {
      const Result<Span> span = time(repeats_);
      if (!span) {
        return tl::unexpected(span.error());
      }
      spent_ms_ +=
          options_.warm_up_ms / 1000;  // a clock that shows no time must not keep this going for ever
    }
    spent_ms_ = 0;
    return find_repeats();
  }

  Result<void> sample() {
    // Samples of different clocks do not mix: the host's clock once means the host's clock for all.
    std::vector<double> samples;
    TimingSource source = first_.source;
    if (first_.total_ms > options_.budget_ms) {
      samples.push_back(first_.total_ms / repeats_);
    }
    while (samples.size() < std::max<std::size_t>(options_.maximum_samples, 1)) {
      if (!samples.empty() && spent_ms_ >= options_.budget_ms) {
        break;
      }
      Result<Span> span = time(repeats_);
      if (!span) {
        return tl::unexpected(span.error());
      }
      if (span->source != source) {
        source = span->source;
        samples.clear();
      }
      samples.push_back(span->total_ms / repeats_);
      const bool enough = samples.size() >= options_.minimum_samples;
      if (enough && measuring::summarise(samples).spread <= options_.target_spread) {
        break;
      }
      report(std::max(spent_ms_ / options_.budget_ms,
                      static_cast<double>(samples.size()) / std::max(options_.maximum_samples, 1U)));
    }
    const measuring::Summary summary = measuring::summarise(samples);
    if (summary.median <= 0) {
      return fail(
          ErrorCode::unsupported, "timestamp-query",
          "the device's clock shows no time for " + prepared_.plan().kernel + ", however often it runs");
    }
    result_.ms = summary.median;
    result_.minimum_ms = summary.minimum;
    result_.maximum_ms = summary.maximum;
    result_.spread = summary.spread;
    result_.samples = static_cast<std::uint32_t>(samples.size());
    result_.spread_reached = samples.size() >= std::min(options_.minimum_samples, options_.maximum_samples) &&
                             samples.size() > 1 && summary.spread <= options_.target_spread;
    result_.repeats = repeats_;
    result_.source = source;
    return {};
  }

  Result<void> sample_steps() {
    if (result_.source != TimingSource::timestamps) {
      return {};
    }
    const std::size_t steps = prepared_.plan().steps.size();
    if (steps == 1) {
      result_.step_ms = {result_.ms};
      return {};
    }
    // A pass for every step of every repetition: fewer repetitions say as much.
    const std::uint32_t repeats = std::min<std::uint32_t>(repeats_, 64);
    std::vector<std::vector<double>> by_step(steps);
    for (int i = 0; i < 3 && (i == 0 || spent_ms_ < options_.budget_ms); ++i) {
      Result<Span> span = time(repeats, true);
      if (!span) {
        return tl::unexpected(span.error());
      }
      if (span->step_ms.size() != steps) {
        continue;
      }
      for (std::size_t step = 0; step < steps; ++step) {
        by_step[step].push_back(span->step_ms[step] / repeats);
      }
    }
    for (std::vector<double>& samples : by_step) {
      if (samples.empty()) {
        result_.step_ms.clear();
        break;
      }
      result_.step_ms.push_back(measuring::summarise(samples).median);
    }
    return {};
  }

  void report(double fraction) const {
    if (options_.progress) {
      options_.progress(std::clamp(fraction, 0.0, 1.0));
    }
  }

  Context& context_;
  PreparedPlan& prepared_;
  std::span<const Context::Operands> operands_;
  const MeasureOptions& options_;
  std::uint32_t repeats_ = 1;
  double spent_ms_ = 0;
  Span first_;  ///< the span that was long enough
  Measurement result_;
};

}  // namespace

Result<Measurement> measure(Context& context, PreparedPlan& prepared,
                            std::span<const Context::Operands> operands, const MeasureOptions& options) {
  return Sampler(context, prepared, operands, options).run();
}

}  // namespace wgemm
