// The configurations that are worth a look: a small part of the parameter space, as data.
#pragma once

#include <vector>

#include "core/kernels/kernel.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::selection {

struct Candidate {
  kernels::Kernel kernel;
  kernels::Geometry geometry;
};

/// What is worth a look for a problem on a device. Whether it fits the device is for `fit` to say. The last
/// is `fallback`.
std::vector<const Candidate*> candidates(const Problem& problem, const DeviceProfile& profile);

/// The same for matrix units: a configuration for each shape of their matrices.
std::vector<Candidate> matrix_candidates(const Problem& problem, const DeviceProfile& profile);

/// A kernel without workgroup memory, within the specification's minimum limits, for every problem.
const Candidate& fallback(DataType stored);

}  // namespace wgemm::selection
