#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace wgemm::measuring {

namespace {

double quantile(const std::vector<double>& sorted, double part) {
  const double position = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

}  // namespace

Summary summarise(std::vector<double> samples) {
  std::ranges::sort(samples);
  Summary summary;
  summary.median = quantile(samples, 0.5);
  summary.minimum = samples.front();
  summary.maximum = samples.back();
  if (summary.median > 0) {
    summary.spread = (quantile(samples, 0.75) - quantile(samples, 0.25)) / summary.median;
  }
  return summary;
}

}  // namespace wgemm::measuring
