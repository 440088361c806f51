#include "bench/compare.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wgemm::bench {
namespace {

constexpr std::uint32_t kFewestSamples = 3;

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
  return 1.57 * timing.spread / std::sqrt(static_cast<double>(std::max<std::uint32_t>(timing.samples, 1)));
}

Change compare(const Timing& before, const Timing& now) {
  Change change;
  if (!(before.ms > 0) || !(now.ms > 0)) return change;
  change.ratio = before.ms / now.ms;
  if (before.samples < kFewestSamples || now.samples < kFewestSamples) return change;
  const auto& [fast, slow] = before.ms < now.ms ? std::pair(before, now) : std::pair(now, before);
  const bool apart = fast.ms * (1 + notch(fast)) < slow.ms * (1 - notch(slow));
  if (!apart || slow.ms <= fast.ms * (1 + kLeastDifference)) {
    change.verdict = Verdict::same;
  } else {
    change.verdict = change.ratio > 1 ? Verdict::faster : Verdict::slower;
  }
  return change;
}

}  // namespace wgemm::bench
