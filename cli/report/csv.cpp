#include "cli/report/csv.hpp"

#include "cli/report/json.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string field(const Json& value) {
  if (value.is_null()) return {};
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// Columns as the JSON names them, with objects taken apart.
Json flat(const Json& row) {
  Json columns;
  for (const auto& [key, value] : row.items()) {
    if (key != "start") columns[key] = value;
  }
  for (const char* part : {"shader_ms", "pipeline_ms", "first_dispatch_ms"}) {
    const auto& start = row["start"];
    columns[part] = start.is_null() ? Json() : start[part];
  }
  return columns;
}

}  // namespace

std::string to_csv(const ladder::Report& report) {
  const auto& conditions = report.conditions;
  const Json shared{{"m", report.problem.m},
                    {"n", report.problem.n},
                    {"k", report.problem.k},
                    {"seed", report.seed},
                    {"adapter", conditions.profile.name},
                    {"driver", conditions.profile.driver},
                    {"library", conditions.profile.library},
                    {"library_version", conditions.library_version},
                    {"date", conditions.date}};
  std::string text;
  for (const auto& row : report.rows) {
    auto columns = flat(to_json(row));
    columns.update(shared);
    if (text.empty()) {
      for (const auto& [key, value] : columns.items()) text += (text.empty() ? "" : ",") + key;
      text += "\r\n";
    }
    bool first = true;
    for (const auto& [key, value] : columns.items()) {
      text += (first ? "" : ",") + field(value);
      first = false;
    }
    text += "\r\n";
  }
  return text;
}

}  // namespace wgemm::cli
