#include "tune/planners_worth.hpp"

#include <algorithm>

namespace wgemm::tune {

PlannersWorth planners_worth(std::span<const ProblemReport> problems) {
  PlannersWorth worth;
  for (const auto& each : problems) {
    const auto& found = each.found;
    const auto right = static_cast<std::size_t>(std::ranges::count_if(found.trials, &Trial::ok));
    if (!found.best || (!found.complete && right < kEnoughMeasured)) continue;
    ++worth.judged;
    const bool measured = found.heuristic_seconds > 0;
    if (measured && found.heuristic_seconds <= kClose * found.best->seconds) ++worth.close;
  }
  return worth;
}

}  // namespace wgemm::tune
