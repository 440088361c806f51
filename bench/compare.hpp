// Whether one measured time differs from another, in view of how far the samples of each are apart.
#pragma once

#include <cstdint>
#include <string_view>

namespace wgemm::bench {

/// A median of samples, with their spread.
struct Timing {
  double ms = 0;
  double spread = 0;  ///< interquartile range over median
  std::uint32_t samples = 0;
};

enum class Verdict : std::uint8_t {
  faster,
  slower,
  same,     ///< within what the spread explains
  unknown,  ///< too few samples on one side to say
};
std::string_view to_string(Verdict verdict);

/// The share by which medians must differ whatever the spread: that to which samples of one run are brought
/// (MeasureOptions::target_spread). Clocks and temperature move whole runs, which no spread within one shows.
constexpr double kLeastDifference = 0.03;

/// Half of a notch over the median: 1.57 interquartile ranges over the root of the number of samples. R.
/// McGill, J. W. Tukey and W. A. Larsen, "Variations of Box Plots", The American Statistician 32 (1978):
/// where the notches of two medians do not overlap, these differ at about the 95 % level.
double notch(const Timing& timing);

struct Change {
  double ratio = 0;  ///< the time before over the time now: above 1 is faster now
  Verdict verdict = Verdict::unknown;
};

/// faster or slower: the notches do not overlap and the medians differ by more than kLeastDifference.
/// unknown: fewer than three samples on one side, which have no quartiles to speak of.
Change compare(const Timing& before, const Timing& now);

}  // namespace wgemm::bench
