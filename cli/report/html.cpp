#include "cli/report/html.hpp"

#include <string_view>

#include "cli/report/assets.hpp"
#include "cli/report/json.hpp"

namespace wgemm::cli {
namespace {

/// Inside a script element nothing may look like markup to the HTML parser: "</script>" would end it, and
/// "<!--" changes how its end is found. In JSON the escape stands for the same character.
std::string without_markup(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

/// A script's own text cannot be escaped as a whole; only the one sequence that ends the element matters.
std::string without_script_end(std::string_view script) {
  std::string text(script);
  constexpr std::string_view kEnd = "</script";
  for (auto at = text.find(kEnd); at != std::string::npos; at = text.find(kEnd, at))
    text.insert(at + 1, "\\");
  return text;
}

void replace(std::string& text, std::string_view mark, std::string_view value) {
  const auto at = text.find(mark);
  if (at != std::string::npos) text.replace(at, mark.size(), value);
}

}  // namespace

Result<void> check_html() {
  if (!assets::chart_js().empty()) return {};
  return fail(
      ErrorCode::unsupported, "--html",
      "--html: this build has no charts, since Chart.js was not found; install libjs-chart.js (Debian) or "
      "configure with -DWGEMM_CHART_JS=/path/to/chart.min.js, and build again");
}

std::string to_html(std::string_view title, const nlohmann::ordered_json& report, std::string_view script) {
  std::string page(assets::page_template());
  replace(page, "{{page.js}}", without_script_end(std::string(assets::page_js()) + std::string(script)));
  replace(page, "{{chart.js}}", without_script_end(assets::chart_js()));
  replace(page, "{{title}}", title);
  replace(page, "{{data}}", without_markup(dump(report, -1)));
  return page;
}

}  // namespace wgemm::cli
