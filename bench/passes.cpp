#include "bench/passes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "measure/statistics.hpp"

namespace wgemm::bench {
Measurement combine(std::span<const Measurement> passes) {
  auto whole = passes.front();
  if (passes.size() == 1) return whole;
  std::vector<double> medians;
  medians.reserve(passes.size());
  whole.samples = 0;
  for (const auto& pass : passes) {
    medians.push_back(pass.ms);
    whole.minimum_ms = std::min(whole.minimum_ms, pass.minimum_ms);
    whole.maximum_ms = std::max(whole.maximum_ms, pass.maximum_ms);
    whole.spread = std::max(whole.spread, pass.spread);
    whole.spread_reached = whole.spread_reached && pass.spread_reached;
    whole.samples += pass.samples;
    // Steps are told where all passes tell them.
    if (pass.step_ms.size() != whole.step_ms.size()) whole.step_ms.clear();
  }
  whole.ms = measuring::summarise(std::move(medians)).median;
  for (std::size_t step = 0; step < whole.step_ms.size(); ++step) {
    std::vector<double> times;
    times.reserve(passes.size());
    for (const auto& pass : passes) times.push_back(pass.step_ms[step]);
    whole.step_ms[step] = measuring::summarise(std::move(times)).median;
  }
  return whole;
}

std::optional<double> pass_spread(std::span<const double> medians) {
  if (medians.size() < 2) return std::nullopt;
  const auto summary = measuring::summarise({medians.begin(), medians.end()});
  return (summary.maximum - summary.minimum) / summary.median;
}

}  // namespace wgemm::bench
