// The ladder's rows as comma-separated values (RFC 4180), each with the conditions that it was measured
// under.
#pragma once

#include <string>

#include "ladder/ladder.hpp"

namespace wgemm::cli {

std::string to_csv(const ladder::Report& report);

}  // namespace wgemm::cli
