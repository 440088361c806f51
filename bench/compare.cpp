#include "bench/compare.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace wgemm::bench {
namespace {

constexpr std::uint32_t kFewestSamples = 3;

bool says_something(const Timing& timing) { return timing.samples >= kFewestSamples && timing.spread; }

/// As measured, or as assumed beside the other side.
double drift(const Timing& timing, const Timing& other) {
  return timing.drift ? *timing.drift : std::max(kAssumedDrift, other.drift.value_or(0));
}

/// Whether medians differ by more than what can be explained, with these drifts.
bool are_apart(const Timing& before, double drift_before, const Timing& now, double drift_now) {
  const auto bounds = [](const Timing& timing, double drift) {
    const double around = notch(timing) + drift;
    return std::pair(timing.ms * (1 - around), timing.ms * (1 + around));
  };
  const auto [before_low, before_high] = bounds(before, drift_before);
  const auto [now_low, now_high] = bounds(now, drift_now);
  const auto [fast, slow] = std::minmax(before.ms, now.ms);
  return (before_high < now_low || now_high < before_low) && slow > fast * (1 + kLeastDifference);
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "faster";
    case Verdict::slower:
      return "slower";
    case Verdict::same:
      return "same";
    case Verdict::unknown:
      return "unknown";
  }
  return "";
}

double notch(const Timing& timing) {
  return 1.57 * timing.spread.value_or(0) /
         std::sqrt(static_cast<double>(std::max<std::uint32_t>(timing.samples, 1)));
}

std::optional<double> drift_of(std::optional<double> own, std::span<const double> spreads) {
  if (!own || spreads.empty()) return own;
  std::vector<double> sorted(spreads.begin(), spreads.end());
  std::ranges::sort(sorted);
  return std::max(*own, sorted[(3 * sorted.size() - 1) / 4]);
}

Change compare(const Timing& before, const Timing& now) {
  Change change;
  if (!(before.ms > 0) || !(now.ms > 0)) return change;
  change.ratio = before.ms / now.ms;
  if (!says_something(before) || !says_something(now)) return change;
  const double drift_before = drift(before, now);
  const double drift_now = drift(now, before);
  if (are_apart(before, drift_before, now, drift_now)) {
    change.verdict = change.ratio > 1 ? Verdict::faster : Verdict::slower;
  } else if (are_apart(before, before.drift.value_or(0), now, now.drift.value_or(0))) {
    change.verdict = Verdict::unknown;  // only what was assumed keeps them together
  } else {
    change.verdict = Verdict::same;
  }
  return change;
}

}  // namespace wgemm::bench
