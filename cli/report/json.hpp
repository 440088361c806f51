// Results as JSON: what all reports share, and the ladder's. What is not known is null.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench/conditions.hpp"
#include "bench/outcome.hpp"
#include "ladder/ladder.hpp"

namespace wgemm::cli {

/// The head of a report: versions, `command` (the line that made the report), seed, conditions, roofline.
nlohmann::ordered_json to_json(const bench::Session& session, const std::string& command);

/// Verdict and figures.
nlohmann::ordered_json to_json(const bench::Outcome& outcome);

nlohmann::ordered_json to_json(const ladder::Report& report, const std::string& command);

/// One row, as the list "rungs" holds it.
nlohmann::ordered_json to_json(const ladder::Row& row);

/// Text of a report, with bytes of drivers that are no UTF-8 replaced. `indent`: -1 for one line.
std::string dump(const nlohmann::ordered_json& json, int indent);

}  // namespace wgemm::cli
