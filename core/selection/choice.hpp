// Which kernel runs, and into how many parts k is cut: one path for what a caller forces, what was measured,
// and what the model estimates.
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/kernel.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::selection {

struct Choice {
  kernels::Kernel kernel;
  kernels::Geometry geometry;
  std::uint32_t split_k = 1;
  double seconds =
      0;  ///< of one run, as measured for the entry's problem, or as the model estimates; 0: not asked
};

/// The one rule: whether the kernel is valid on the device and can do all of the problem. Errors: as
/// `kernels::check`, and unsupported.
Result<kernels::Geometry> fit(const kernels::Kernel& kernel, const Problem& problem,
                              const DeviceProfile& profile);

/// What to plan with, best first: the kernel that the options name and nothing else; otherwise measured
/// choices, then the best of `rank`. All of them fit. Errors: those of a named kernel.
Result<std::vector<Choice>> choose(const Problem& problem, const DeviceProfile& profile,
                                   const PlanOptions& options, const TuningData* tuning);

/// The best candidates that fit, by the model, at most that many, each with its best split or the one that
/// the options state. Never empty: a kernel without workgroup memory always fits.
std::vector<Choice> rank(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options,
                         std::size_t most);

/// Seconds that the model expects of a kernel.
double estimate(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options,
                const kernels::Kernel& kernel, const kernels::Geometry& geometry, std::uint32_t split_k);

}  // namespace wgemm::selection
