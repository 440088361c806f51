// Which measured choices apply to a problem on a device.
#pragma once

#include <vector>

#include "wgemm/device_profile.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::selection {

/// How closely an entry's device is the one at hand, the closest first. `device` is the same device with
/// another driver, backend or library than the entry was measured with.
enum class Scope : std::uint8_t { same, device, architecture, vendor, any, none };

Scope scope_of(const TuningDevice& entry, const TuningDevice& device);

/// Product of the ratios of m, n, k and batch, each the larger over the smaller: 2 to the sum of their
/// |log2|, without a logarithm, of which each platform has its own.
double distance(const TuningProblem& one, const TuningProblem& other);

/// Sizes at a larger distance are another problem.
constexpr double kFarthest = 2.0;

/// The entries of the problem's class that are near enough, by scope; then those that were measured with or
/// without bounds checks as the device runs shaders; then by distance; the younger of those that are equal in
/// all that first, since pages and programs name one device in ways that do not merge.
std::vector<const TuningEntry*> find_entries(const TuningData& data, const DeviceProfile& profile,
                                             const TuningProblem& problem);

}  // namespace wgemm::selection
