#include "cli/report/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/report/json.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string field(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_array()) {
    std::vector<std::string> parts;
    parts.reserve(value.size());
    for (const auto& part : value) parts.push_back(part.dump());
    return fmt::format("{}", fmt::join(parts, " "));
  }
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// The fields, with those of objects in their places.
Json flat(const Json& row) {
  Json columns = Json::object();
  for (const auto& [key, value] : row.items()) {
    if (value.is_object()) {
      columns.update(value);
    } else {
      columns[key] = value;
    }
  }
  return columns;
}

/// Names of the columns, in order. What is an object in some row and null in others is no column of its own.
std::vector<std::string> columns_of(const std::vector<Json>& rows) {
  Json columns = Json::object();
  for (const auto& row : rows) columns.update(flat(row));
  for (const auto& row : rows) {
    for (const auto& [key, value] : row.items()) {
      if (value.is_object()) columns.erase(key);
    }
  }
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const auto& [key, value] : columns.items()) names.push_back(key);
  return names;
}

}  // namespace

std::string to_csv(const std::vector<Json>& rows, const Json& shared) {
  const auto own = columns_of(rows);
  auto names = own;
  for (const auto& [key, value] : shared.items()) names.push_back(key);
  std::string text = fmt::format("{}\r\n", fmt::join(names, ","));
  for (const auto& row : rows) {
    auto values = flat(row);
    values.update(shared);
    std::vector<std::string> fields;
    fields.reserve(names.size());
    for (const auto& name : names) fields.push_back(values.contains(name) ? field(values[name]) : "");
    text += fmt::format("{}\r\n", fmt::join(fields, ","));
  }
  return text;
}

Json shared_columns(const Json& report) {
  Json columns{{"seed", report.at("seed")}};
  for (const auto* key : {"adapter", "driver", "library", "library_version", "date"}) {
    columns[key] = report.at("conditions").at(key);
  }
  columns["empty_dispatch_ms"] = report.at("roofline").at("empty_dispatch_ms");
  return columns;
}

std::string to_csv(const ladder::Report& report) {
  std::vector<Json> rows;
  rows.reserve(report.rows.size());
  for (const auto& row : report.rows) rows.push_back(to_json(row));
  Json shared{{"m", report.problem.m}, {"n", report.problem.n}, {"k", report.problem.k}};
  shared.update(shared_columns(to_json(static_cast<const bench::Session&>(report), "")));
  return to_csv(rows, shared);
}

}  // namespace wgemm::cli
