#include "core/tuning/neighbours.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace wgemm::tuning {
namespace {

using kernels::Kernel;

/// Drivers of software adapters compile longer loop bodies for minutes.
constexpr std::uint32_t kSoftwareOutputs = 32;

/// Elements of C for which an invocation has sums.
std::uint32_t outputs(const Kernel& kernel, const kernels::Geometry& geometry) {
  return geometry.block_m * geometry.block_n * kernels::slices(kernel) /
         (geometry.workgroup_x * geometry.workgroup_y);
}

/// The kernel with the next smaller and the next larger value of one parameter. Those that describe the
/// device follow from it.
std::vector<Kernel> moved(const Kernel& kernel, std::size_t index) {
  const auto& parameter = kernel.family->parameters[index];
  const bool of_device = kernel.family->matrix_units && parameter.name == "LANES";
  const auto at = std::ranges::find(parameter.values, kernel.values[index]);
  std::vector<Kernel> result;
  if (of_device || at == parameter.values.end()) return result;
  const auto add = [&](std::int64_t value) {
    result.push_back(kernel);
    result.back().values[index] = value;
  };
  if (at != parameter.values.begin()) add(*std::prev(at));
  if (std::next(at) != parameter.values.end()) add(*std::next(at));
  return result;
}

std::vector<Kernel> moved_once_or_twice(const Kernel& kernel) {
  std::vector<Kernel> result;
  for (std::size_t first = 0; first < kernel.values.size(); ++first) {
    for (auto& once : moved(kernel, first)) {
      for (std::size_t second = first + 1; second < kernel.values.size(); ++second) {
        for (auto& twice : moved(once, second)) result.push_back(std::move(twice));
      }
      result.push_back(std::move(once));
    }
  }
  return result;
}

}  // namespace

std::vector<selection::Choice> neighbours(const selection::Choice& choice, const Problem& problem,
                                          const DeviceProfile& profile) {
  const bool software = profile.type == AdapterType::software;
  std::vector<selection::Choice> found;
  const auto add = [&](const Kernel& kernel, const kernels::Geometry& geometry, std::uint32_t split_k) {
    const double seconds = selection::estimate(problem, profile, {}, kernel, geometry, split_k);
    found.push_back({kernel, geometry, split_k, seconds});
  };
  for (const auto& kernel : moved_once_or_twice(choice.kernel)) {
    const auto geometry = selection::fit(kernel, problem, profile);
    if (!geometry || (software && outputs(kernel, *geometry) > kSoftwareOutputs)) continue;
    add(kernel, *geometry, choice.split_k);
  }
  const auto split = choice.split_k;
  for (const auto parts : {split / 2, split - 1, split + 1, split * 2}) {
    const bool sensible = parts >= 1 && parts != split && parts <= std::max<std::uint64_t>(problem.k / 32, 1);
    if (sensible) add(choice.kernel, choice.geometry, parts);
  }
  std::ranges::stable_sort(found, {}, &selection::Choice::seconds);
  return found;
}

}  // namespace wgemm::tuning
