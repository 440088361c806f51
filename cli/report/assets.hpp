// Files that the build embeds into the program (report/embed.cmake).
#pragma once

#include <string_view>

namespace wgemm::cli::assets {

std::string_view ladder_template();
/// Chart.js, minified; empty where the build did not find it.
std::string_view chart_js();

}  // namespace wgemm::cli::assets
