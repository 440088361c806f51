// The ladder: kernels in the order in which one learns them, each with what it adds to the one before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wgemm/device_profile.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {

struct Rung {
  int step = 0;             ///< number of the rung in the tutorial; variants of a rung share it
  std::string_view name;    ///< "tiled-padded"
  std::string_view adds;    ///< what it adds, one line
  std::string_view kernel;  ///< name of its kernel for the planner
};

/// Rungs that run on a device, in order.
const std::vector<Rung>& list_rungs();

/// The kernel of a rung on a device: its name for the planner and the operand type it multiplies. It depends
/// on the device only where the rung uses matrix units; there it follows the first configuration that the
/// device reports and its real subgroup size (f32 before f16). Without matrix units the standard
/// configuration comes back, which the planner then refuses with the reason.
struct RungKernel {
  std::string kernel;
  DataType operands = DataType::f32;
};
RungKernel rung_kernel(const Rung& rung, const DeviceProfile& profile);

}  // namespace wgemm
