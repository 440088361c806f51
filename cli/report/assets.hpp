// Files that the build embeds into the program (report/embed.cmake).
#pragma once

#include <string_view>

namespace wgemm::cli::assets {

/// A page with places for {{title}}, {{data}}, {{chart.js}} and {{page.js}}.
std::string_view page_template();
/// What all pages share, and behind it the text of one of them.
std::string_view page_js();
std::string_view ladder_js();
std::string_view bench_js();
/// Chart.js, minified; empty where the build did not find it.
std::string_view chart_js();

}  // namespace wgemm::cli::assets
