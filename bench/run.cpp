#include "bench/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "bench/bench.hpp"

namespace wgemm::bench {
namespace {

class Run {
 public:
  Run(const Options& options, const Observer& observer)
      : options_(options),
        observer_(observer),
        passes_(options.shaders == Shaders::both ? std::vector<bool>{false, true}
                                                 : std::vector<bool>{options.shaders == Shaders::unchecked}) {
  }

  Result<Report> run() {
    for (const bool unchecked : passes_) {
      auto device = options_.device;
      device.unchecked_shaders = unchecked;
      auto context = Context::create(device);
      if (context && !begun_) {
        if (auto done = begin(*context); !done) return tl::unexpected(done.error());
      }
      if (!context && !begun_) return tl::unexpected(context.error());
      if (!context) {
        fail_all("the device could not be opened for unchecked shaders: " + context.error().message);
        continue;
      }
      run_rows(*context);
    }
    return std::move(report_);
  }

 private:
  Result<void> begin(Context& context) {
    auto rows = options_.rows(context.profile());
    if (!rows) return tl::unexpected(rows.error());
    rows_ = std::move(*rows);
    report_.conditions = current_conditions(context);
    report_.seed = options_.seed;
    auto options = measuring(context.profile());
    options.progress = [&](double) { observer_.progress({}, "measuring the roofline", 0); };
    const auto roofline = measure_roofline(context, options);
    if (!roofline) return tl::unexpected(roofline.error());
    report_.roofline = *roofline;
    begun_ = true;
    start_ = Clock::now();
    observer_.started(report_);
    return {};
  }

  void run_rows(Context& context) {
    Bench bench(context, report_.roofline, options_.seed, measuring(context.profile()));
    std::optional<std::string> lost;
    for (auto row : rows_) {
      row.wanted_unchecked = row.unchecked_shaders = context.unchecked_shaders();
      if (lost) {
        row.status = Status::device_lost;
        row.reason = *lost;
      } else if (options_.budget_seconds > 0 && seconds() >= options_.budget_seconds) {
        row.status = Status::not_run;
        row.reason = fmt::format("the budget of {:g} s was spent", options_.budget_seconds);
      } else {
        fill(bench, row);
        if (row.status == Status::device_lost) {
          lost = fmt::format("not run: the device was lost at {} ({})", sizes_of(row.product), row.reason);
        }
      }
      finish(std::move(row));
    }
  }

  void fill(Bench& bench, Row& row) {
    auto problem = problem_of(row.product);
    if (!problem) return set_error(row, problem.error());
    Job job{std::move(*problem), {.kernel = row.wanted_kernel, .split_k = row.wanted_split}, row.prepared};
    const auto count = static_cast<double>(rows_.size() * passes_.size());
    const auto done = bench.run(row, std::move(job), [&](std::string_view activity, double fraction) {
      observer_.progress(row, activity, (static_cast<double>(report_.rows.size()) + fraction) / count);
    });
    if (!done) set_error(row, done.error());
  }

  /// Every row of the pass that could not begin.
  void fail_all(const std::string& why) {
    for (auto row : rows_) {
      row.status = Status::failed;
      row.reason = why;
      row.wanted_unchecked = row.unchecked_shaders = true;
      finish(std::move(row));
    }
  }

  void finish(Row row) {
    report_.rows.push_back(std::move(row));
    observer_.finished(report_.rows.back());
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  using Clock = std::chrono::steady_clock;

  const Options& options_;
  const Observer& observer_;
  std::vector<bool> passes_;  ///< whether shaders are unchecked
  std::vector<Row> rows_;
  Report report_;
  bool begun_ = false;
  Clock::time_point start_;
};

}  // namespace

bool Report::good() const {
  return std::ranges::all_of(rows, [](const Row& row) {
    return row.status == Status::ok || row.status == Status::unsupported || row.status == Status::not_run;
  });
}

MeasureOptions measuring(const DeviceProfile& profile) {
  MeasureOptions options;
  if (profile.type == AdapterType::software) options.budget_ms = 1200;
  return options;
}

Result<Report> run(const Options& options, const Observer& observer) { return Run(options, observer).run(); }

}  // namespace wgemm::bench
