#include "bench/passes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace wgemm::bench {
namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

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
  whole.ms = median(medians);
  for (std::size_t step = 0; step < whole.step_ms.size(); ++step) {
    std::vector<double> times;
    times.reserve(passes.size());
    for (const auto& pass : passes) times.push_back(pass.step_ms[step]);
    whole.step_ms[step] = median(std::move(times));
  }
  return whole;
}

std::optional<double> pass_spread(std::span<const double> medians) {
  if (medians.size() < 2) return std::nullopt;
  const auto [least, greatest] = std::ranges::minmax(medians);
  return (greatest - least) / median({medians.begin(), medians.end()});
}

}  // namespace wgemm::bench
