#include "bench/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "bench/bench.hpp"

namespace wgemm::bench {
namespace {

class Run {
 public:
  Run(const Options& options, const Observer& observer)
      : options_(options),
        observer_(observer),
        modes_(options.shaders == Shaders::both ? std::vector<bool>{false, true}
                                                : std::vector<bool>{options.shaders == Shaders::unchecked}),
        rows_(modes_.size()) {}

  Result<Report> run() {
    for (pass_ = 0; pass_ < std::max(options_.passes, 1U); ++pass_) {
      for (mode_ = 0; mode_ < modes_.size(); ++mode_) {
        if (auto done = run_mode(); !done) return tl::unexpected(done.error());
      }
    }
    return std::move(report_);
  }

 private:
  Result<void> begin(Context& context) {
    auto rows = options_.rows(context.profile());
    if (!rows) return tl::unexpected(rows.error());
    for (std::size_t mode = 0; mode < modes_.size(); ++mode) {
      rows_[mode] = *rows;
      for (auto& row : rows_[mode]) row.wanted_unchecked = row.unchecked_shaders = modes_[mode];
    }
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

  /// One pass with shaders of one mode. With a single mode, the device stays open for the next.
  Result<void> run_mode() {
    auto* context = context_ ? &*context_ : nullptr;
    if (context == nullptr) {
      auto device = options_.device;
      device.unchecked_shaders = modes_[mode_];
      auto opened = Context::create(device);
      if (!opened && !begun_) return tl::unexpected(opened.error());
      if (!opened) {
        without_device(fmt::format("the device could not be opened{}: {}",
                                   modes_[mode_] ? " for unchecked shaders" : "", opened.error().message));
        return {};
      }
      context = &context_.emplace(std::move(*opened));
      lost_.reset();
    }
    if (!begun_) {
      if (auto done = begin(*context); !done) return done;
    }
    run_rows(*context);
    if (modes_.size() > 1) context_.reset();
    return {};
  }

  void run_rows(Context& context) {
    Bench bench(context, report_.roofline, options_.seed, measuring(context.profile()));
    for (std::size_t i = 0; i < rows_[mode_].size(); ++i) {
      auto& row = rows_[mode_][i];
      if (lost_) {
        miss(row, Status::device_lost, *lost_);
      } else if (options_.budget_seconds > 0 && seconds() >= options_.budget_seconds) {
        miss(row, Status::not_run, fmt::format("the budget of {:g} s was spent", options_.budget_seconds));
      } else if (pass_ == 0 || row.status == Status::ok) {
        fill(bench, row, i);
        if (row.status == Status::device_lost) {
          lost_ = fmt::format("{}the device was lost at {} ({})", pass_ == 0 ? "not run: " : "",
                              sizes_of(row.product), row.reason);
        }
      }
      finish(row);
    }
  }

  /// Judges and times a row, or times it once more.
  void fill(Bench& bench, Row& row, std::size_t index) {
    auto problem = problem_of(row.product);
    if (!problem) return set_error(row, problem.error());
    const Job job{
        std::move(*problem), {.kernel = row.wanted_kernel, .split_k = row.wanted_split}, row.prepared};
    const auto rows = static_cast<double>(rows_[mode_].size());
    const auto before =
        (static_cast<double>(pass_) * static_cast<double>(modes_.size()) + static_cast<double>(mode_)) *
            rows +
        static_cast<double>(index);
    const auto count = rows * static_cast<double>(modes_.size()) * std::max(options_.passes, 1U);
    const auto progress = [&](std::string_view activity, double fraction) {
      observer_.progress(row, activity, (before + fraction) / count);
    };
    const auto done = pass_ == 0 ? bench.run(row, job, progress) : bench.run_again(row, job, progress);
    if (done) return;
    set_error(row, done.error());
    if (pass_ == 0) return;
    clear_time(row);
    row.reason = fmt::format("in pass {}: {}", pass_ + 1, row.reason);
  }

  /// What becomes of a row that cannot begin: without a pass it is not run, with one it stands, and says so.
  void miss(Row& row, Status status, const std::string& why) {
    if (pass_ == 0) {
      row.status = status;
      row.reason = why;
    } else if (row.status == Status::ok && row.passes.size() == pass_) {
      row.note += fmt::format("{}measured in {} of {} passes: {}", row.note.empty() ? "" : "; ", pass_,
                              options_.passes, why);
    }
  }

  void without_device(const std::string& why) {
    for (auto& row : rows_[mode_]) {
      miss(row, Status::failed, why);
      finish(row);
    }
  }

  /// After the last pass.
  void finish(const Row& row) {
    if (pass_ + 1 < options_.passes) return;
    report_.rows.push_back(row);
    observer_.finished(report_.rows.back());
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  using Clock = std::chrono::steady_clock;

  const Options& options_;
  const Observer& observer_;
  std::vector<bool> modes_;             ///< whether shaders are unchecked
  std::vector<std::vector<Row>> rows_;  ///< by mode
  std::size_t pass_ = 0;
  std::size_t mode_ = 0;
  std::optional<Context> context_;
  std::optional<std::string> lost_;  ///< how the open device was lost
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
