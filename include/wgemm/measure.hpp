// Timing of plans on a device, and the device's own roofline.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "wgemm/context.hpp"
#include "wgemm/error.hpp"

namespace wgemm {

struct MeasureOptions {
  /// Steady work before the first sample, on hardware: the clocks of an idle GPU are low and take a while to
  /// rise (an NVIDIA H200 went from 345 to 1,980 MHz after 200 ms of work, and idles again within seconds).
  double warm_up_ms = 400;
  double minimum_span_ms = 20;  ///< a timed span lasts at least this long, and 50 quanta of the clock
  double target_spread = 0.03;  ///< relative spread (interquartile range over median) at which sampling stops
  std::uint32_t minimum_samples = 5;
  std::uint32_t maximum_samples = 25;
  double budget_ms = 4000;  ///< sampling ends after this much device time; one sample is always taken
  std::function<void(double)> progress;  ///< fraction done, 0 to 1
};

struct Measurement {
  double ms = 0;  ///< median time of one run of the plan
  double minimum_ms = 0;
  double maximum_ms = 0;
  double spread = 0;            ///< interquartile range over median
  bool spread_reached = false;  ///< the spread came under the target within the budget
  std::uint32_t samples = 0;
  std::uint32_t repeats = 0;    ///< runs of the plan in one sample
  std::vector<double> step_ms;  ///< median by step of the plan; empty where the device has no timestamps
  TimingSource source = TimingSource::host_clock;
};

/// Warms up (the first dispatch is in no sample), finds how many repetitions fill the minimum span, samples.
Result<Measurement> measure(Context& context, PreparedPlan& prepared,
                            std::span<const Context::Operands> operands, const MeasureOptions& options = {});

/// What the device reaches at most, by wgemm's own probe kernels.
struct Roofline {
  double bytes_per_second = 0;   ///< a copy kernel on buffers larger than caches, bytes read and written
  double flops_per_second = 0;   ///< independent chains of f32 fused multiply-adds, 2 operations each
  double empty_dispatch_ms = 0;  ///< a kernel that does nothing: the floor of every timing
  TimingSource source = TimingSource::host_clock;
  /// Attainable operations per second at an arithmetic intensity (operations per byte).
  [[nodiscard]] double attainable(double intensity) const;
};

Result<Roofline> measure_roofline(Context& context, const MeasureOptions& options = {});

}  // namespace wgemm
