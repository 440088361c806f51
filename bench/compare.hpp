// Whether one measured time differs from another, in view of how far samples and passes of each are apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace wgemm::bench {

/// A median of samples, with their spread.
struct Timing {
  double ms = 0;
  std::optional<double> spread;  ///< interquartile range over median; unset: unknown, which is not none
  std::uint32_t samples = 0;
  /// By how much whole measurements of one row move, over the median (drift_of); unset: measured in one pass.
  std::optional<double> drift;
};

enum class Verdict : std::uint8_t {
  faster,
  slower,
  same,     ///< within what spread and drift explain
  unknown,  ///< too little is known of one side to say
};
std::string_view to_string(Verdict verdict);

/// The share by which medians must differ whatever the spread: that to which samples of one run are brought
/// (MeasureOptions::target_spread).
constexpr double kLeastDifference = 0.03;
/// The drift of what was measured in one pass, where the other side's is not larger.
constexpr double kAssumedDrift = 0.1;

/// Half of a notch over the median: 1.57 interquartile ranges over the root of the number of samples. R.
/// McGill, J. W. Tukey and W. A. Larsen, "Variations of Box Plots", The American Statistician 32 (1978):
/// where the notches of two medians do not overlap, these differ at about the 95 % level.
double notch(const Timing& timing);

/// The drift of a row in a run: how far its own passes are apart, or those of three quarters of the run's
/// rows, if that is more, for two passes may agree by chance. `spreads`: pass_spread of the run's rows that
/// have one.
std::optional<double> drift_of(std::optional<double> own, std::span<const double> spreads);

struct Change {
  double ratio = 0;  ///< the time before over the time now: above 1 is faster now
  Verdict verdict = Verdict::unknown;
};

/// faster or slower: the medians, each moved towards the other by its notch and its drift, do not meet, and
/// differ by more than kLeastDifference. unknown: fewer than three samples on one side or none whose spread
/// is known; or the medians would count as different but for the drift that was assumed of one side.
Change compare(const Timing& before, const Timing& now);

}  // namespace wgemm::bench
