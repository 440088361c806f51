// Configurations that differ a little from one that is good.
#pragma once

#include <vector>

#include "core/selection/choice.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::tuning {

/// Those of the whole parameter space that have the next value in one or two parameters, and those with k cut
/// into a few more or fewer parts; only what fits, the best by the model first.
std::vector<selection::Choice> neighbours(const selection::Choice& choice, const Problem& problem,
                                          const DeviceProfile& profile);

}  // namespace wgemm::tuning
