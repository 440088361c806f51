// The ladder's results as one self-contained page: charts, conditions, table.
#pragma once

#include <string>

#include "ladder/ladder.hpp"
#include "wgemm/error.hpp"

namespace wgemm::cli {

/// Whether this build holds the library that draws the charts. Errors: unsupported, with what to install.
Result<void> check_html();

std::string to_html(const ladder::Report& report, const std::string& command);

}  // namespace wgemm::cli
