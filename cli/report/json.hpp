// The ladder's results as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ladder/ladder.hpp"

namespace wgemm::cli {

/// `command` is the line that made the report.
nlohmann::ordered_json to_json(const ladder::Report& report, const std::string& command);

/// One row, as the list "rungs" holds it. What is not known is null.
nlohmann::ordered_json to_json(const ladder::Row& row);

}  // namespace wgemm::cli
