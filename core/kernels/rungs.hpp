// Look-up of the ladder's rungs by name, for kernel names that stand for a configuration ("tiled-padded").
#pragma once

#include <string_view>

#include "wgemm/ladder.hpp"

namespace wgemm::kernels {

/// nullptr where there is none of that name.
const Rung* find_rung(std::string_view name);

}  // namespace wgemm::kernels
