#include "ladder/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "bench/run.hpp"
#include "ladder/host.hpp"
#include "ladder/rung_bench.hpp"
#include "ladder/selection.hpp"
#include "ladder/size.hpp"

namespace wgemm::ladder {
namespace {

std::vector<bool> shader_modes(Shaders shaders) {
  switch (shaders) {
    case Shaders::checked:
      return {false};
    case Shaders::unchecked:
      return {true};
    case Shaders::both:
      return {false, true};
  }
  return {};
}

MeasureOptions measuring(const DeviceProfile& profile, bool sweep) {
  auto options = bench::measuring(profile);
  if (sweep) options.budget_ms /= 3;
  return options;
}

class Climb {
 public:
  Climb(const Options& options, const Observer& observer) : options_(options), observer_(observer) {}

  Result<Report> run() {
    if (auto done = check_names(options_); !done) return tl::unexpected(done.error());
    for (const bool unchecked : shader_modes(options_.shaders)) {
      auto device = options_.device;
      device.unchecked_shaders = unchecked;
      auto context = Context::create(device);
      if (!context && !begun_) return tl::unexpected(context.error());
      if (!context) {
        lose("the device could not be opened for unchecked shaders: " + context.error().message);
        continue;
      }
      if (auto done = climb(*context); !done) return tl::unexpected(done.error());
    }
    return std::move(report_);
  }

  Result<Report> run_on(Context& context) {
    if (auto done = check_names(options_); !done) return tl::unexpected(done.error());
    if (auto done = climb(context); !done) return tl::unexpected(done.error());
    return std::move(report_);
  }

 private:
  Result<void> climb(Context& context) {
    if (!begun_) {
      if (auto done = begin(context); !done) return done;
    }
    climb_rungs(context);
    return {};
  }

  /// What is measured once: the roofline, from which the size follows, and the CPU.
  Result<void> begin(Context& context) {
    report_.conditions = bench::current_conditions(context);
    report_.seed = options_.seed;
    report_.sweep = options_.sweep;
    Row noop;
    noop.kind = Kind::baseline;
    noop.name = "noop";
    noop.adds = "an empty dispatch: the floor of every time";
    auto options = measuring(context.profile(), options_.sweep);
    options.progress = [&](double fraction) { observer_.progress(noop, "measuring the roofline", fraction); };
    const auto roofline = measure_roofline(context, options);
    if (!roofline) return tl::unexpected(roofline.error());
    report_.roofline = *roofline;
    auto& problem = report_.problem;
    problem.m = options_.m;
    problem.n = options_.n;
    problem.k = options_.k;
    if (problem.m == 0) {
      problem.m = problem.n = problem.k = fitting_size(context.profile(), roofline->flops_per_second);
    }
    if (auto done = validate(problem); !done) return done;
    begun_ = true;
    observer_.started(report_);

    noop.time = Measurement{};
    noop.time->ms = roofline->empty_dispatch_ms;
    noop.time->source = roofline->source;
    finish(std::move(noop));
    if (!options_.sweep) climb_on_host();
    return {};
  }

  void climb_on_host() {
    if (!is_wanted(options_, "cpu") && !is_wanted(options_, "blas")) return;
    const HostRows host(report_.problem, options_.seed);
    Row waiting;
    waiting.kind = Kind::baseline;
    waiting.on_device = false;
    const auto rate = [&](Row row) {
      if (row.time) row.gflops = report_.problem.flops() / row.time->ms * 1e-6;
      finish(std::move(row));
    };
    if (is_wanted(options_, "cpu")) {
      waiting.name = "cpu";
      observer_.progress(waiting, "measuring", 0);
      rate(host.cpu());
    }
    if (is_wanted(options_, "blas")) {
      waiting.name = "blas";
      rate(host.blas([&](double fraction) { observer_.progress(waiting, "measuring", fraction); }));
    }
  }

  void climb_rungs(Context& context) {
    RungBench bench(context, report_.problem, report_.roofline, options_.seed,
                    measuring(context.profile(), options_.sweep));
    naive_ms_.reset();
    before_ms_.reset();
    bool base_ran = false;
    for (auto& row : rows_to_climb(options_, context.profile())) {
      // Padding helps no kernel that cannot run.
      if (row.edges == EdgePolicy::padded && !base_ran && !lost_) continue;
      row.unchecked_shaders = context.unchecked_shaders();
      if (lost_) {
        row.status = Status::device_lost;
        row.reason = *lost_;
      } else {
        bench.fill(row, [&](std::string_view activity, double fraction) {
          observer_.progress(row, activity, fraction);
        });
        if (row.status == Status::device_lost) {
          lost_ = fmt::format("not run: the device was lost at {} ({})", row.name, row.reason);
        }
      }
      base_ran = row.status == Status::ok;
      compare(row);
      finish(std::move(row));
    }
  }

  /// Speed-ups are over rungs on f32: a rung on f16 has half the bytes and other units.
  void compare(Row& row) {
    if (!row.time || options_.sweep) return;
    if (before_ms_) row.speedup_before = *before_ms_ / row.time->ms;
    if (row.name == "naive" && row.edges == EdgePolicy::checked) naive_ms_ = row.time->ms;
    if (naive_ms_) row.speedup_naive = *naive_ms_ / row.time->ms;
    if (row.operands == DataType::f32 && row.edges == EdgePolicy::checked) before_ms_ = row.time->ms;
  }

  /// Every row of the pass that could not begin.
  void lose(const std::string& why) {
    for (auto& row : rows_to_climb(options_, report_.conditions.profile)) {
      if (row.edges == EdgePolicy::padded) continue;
      row.status = Status::failed;
      row.reason = why;
      row.unchecked_shaders = true;
      finish(std::move(row));
    }
  }

  void finish(Row row) {
    report_.rows.push_back(std::move(row));
    observer_.finished(report_.rows.back());
  }

  const Options& options_;
  const Observer& observer_;
  Report report_;
  bool begun_ = false;
  std::optional<std::string> lost_;  ///< what to say of rows after the device was lost
  std::optional<double> naive_ms_;
  std::optional<double> before_ms_;
};

}  // namespace

bool Report::good() const {
  return std::ranges::all_of(
      rows, [](const Row& row) { return row.status == Status::ok || row.status == Status::unsupported; });
}

Result<Report> climb(const Options& options, const Observer& observer) {
  return Climb(options, observer).run();
}

Result<Report> climb(Context& context, const Options& options, const Observer& observer) {
  return Climb(options, observer).run_on(context);
}

}  // namespace wgemm::ladder
