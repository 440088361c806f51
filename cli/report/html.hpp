// Results as one self-contained page: charts, conditions, table.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "wgemm/error.hpp"

namespace wgemm::cli {

/// Whether this build holds the library that draws the charts. Errors: unsupported, with what to install.
Result<void> check_html();

/// `script` draws the page from the report (assets.hpp).
std::string to_html(std::string_view title, const nlohmann::ordered_json& report, std::string_view script);

}  // namespace wgemm::cli
