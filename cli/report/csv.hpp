// Rows as comma-separated values (RFC 4180), each with what all of them share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ladder/ladder.hpp"

namespace wgemm::cli {

/// A line of names, and one for each row. Columns are the fields of the rows, with objects taken apart, and
/// behind them those of `shared`.
std::string to_csv(const std::vector<nlohmann::ordered_json>& rows, const nlohmann::ordered_json& shared);

/// What a line says of the conditions in the head of a report.
nlohmann::ordered_json shared_columns(const nlohmann::ordered_json& report);

std::string to_csv(const ladder::Report& report);

}  // namespace wgemm::cli
