// What changed since an earlier benchmark, row by row, and what may explain it.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "bench/row.hpp"
#include "cli/report/earlier.hpp"
#include "cli/terminal/terminal.hpp"

namespace wgemm::cli {

/// Adds to `json`, the report of the rows `now`, a "comparison" to each row that has one, and one of the
/// whole.
void add_comparison(nlohmann::ordered_json& json, const std::vector<bench::Row>& now, const Earlier& earlier);

/// Prints what add_comparison added.
void print_comparison(Terminal& terminal, const nlohmann::ordered_json& json);

}  // namespace wgemm::cli
