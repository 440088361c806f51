// Runs a benchmark: row after row on one device, each judged and timed. Yields data; prints nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "bench/conditions.hpp"
#include "bench/row.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/measure.hpp"

namespace wgemm::bench {

struct Options {
  ContextOptions device;  ///< its `unchecked_shaders` follows `shaders`
  Shaders shaders = Shaders::checked;
  /// The rows on the device that was opened, without figures (rows_of). Its errors are run's.
  std::function<Result<std::vector<Row>>(const DeviceProfile&)> rows;
  std::uint64_t seed = 1;
  double budget_seconds = 0;  ///< no row begins after that many, in any pass; 0: all of them run
  /// How often all rows are measured, one after the other; judged is each once. At least 1.
  std::uint32_t passes = 2;
};

struct Report : Session {
  std::vector<Row> rows;

  /// No row is wrong, failed, or lost with the device.
  [[nodiscard]] bool good() const;
};

/// Called from the thread that runs the benchmark.
struct Observer {
  /// The device is open and its roofline known; no row is done yet.
  std::function<void(const Report&)> started;
  /// `done` is the fraction of the whole run that is done.
  std::function<void(const Row&, std::string_view activity, double done)> progress;
  /// In the order of the rows, each after its last pass.
  std::function<void(const Row&)> finished;
};

/// Errors: no device, no rows. What goes wrong later stands in the rows.
Result<Report> run(const Options& options, const Observer& observer);

/// How long a row is measured on a device: software adapters are slow and noisy.
MeasureOptions measuring(const DeviceProfile& profile);

}  // namespace wgemm::bench
