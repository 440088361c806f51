// Which kernel runs where the caller names none.
#pragma once

#include "core/kernels/kernel.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::planning {

/// For few rows or columns a kernel of their own; else the first kernel of a list, fastest first, that is
/// valid on the device and fills it; a kernel without workgroup memory within the specification's minimum
/// limits always remains.
Result<kernels::Kernel> choose(const Problem& problem, const DeviceProfile& profile);

/// Parts into which k is cut so that a product of few blocks and long k fills the device; 1 where it need not
/// be.
std::uint32_t choose_split(const Problem& problem, const DeviceProfile& profile,
                           const kernels::Kernel& kernel, const kernels::Geometry& geometry);

}  // namespace wgemm::planning
