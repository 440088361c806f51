// Which rows a ladder has: the baselines and rungs that were asked for.
#pragma once

#include <string_view>
#include <vector>

#include "ladder/ladder.hpp"
#include "ladder/row.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"

namespace wgemm::ladder {

/// Errors: not_found, for a name in `options.only` that no rung and no baseline has.
Result<void> check_names(const Options& options);

/// Whether the rung or baseline of that name was asked for; where none is named, all are.
bool is_wanted(const Options& options, std::string_view name);

/// The rows on the device, without figures: of rungs, each perhaps followed by its padded one, or of a sweep.
std::vector<Row> rows_to_climb(const Options& options, const DeviceProfile& profile);

}  // namespace wgemm::ladder
