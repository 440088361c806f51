// A benchmark as JSON and CSV: the shape that scripts for peers write too (bench/peers).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/row.hpp"
#include "bench/run.hpp"

namespace wgemm::cli {

/// What a row multiplies and how it was asked for: all that a peer needs to run it, or a later run to find it
/// again.
nlohmann::ordered_json question_json(const bench::Row& row);

/// Rows without figures, for `--list` and for peers.
nlohmann::ordered_json list_json(const std::vector<bench::Row>& rows, const std::string& command);

/// One row with its figures, and the command that runs it alone.
nlohmann::ordered_json to_json(const bench::Row& row, const std::string& reproduction);

}  // namespace wgemm::cli
