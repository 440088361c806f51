// The configurations that a sweep compares: what a learner varies to see how one chooses.
#pragma once

#include <vector>

#include "ladder/row.hpp"
#include "wgemm/device_profile.hpp"

namespace wgemm::ladder {

/// Rows without figures: workgroup shapes and sizes for rungs 2 and 3, tiles for rung 4, outputs per thread
/// for rung 5. Only what is valid on the device.
std::vector<Row> sweep_rows(const DeviceProfile& profile);

}  // namespace wgemm::ladder
