#include "cli/report/earlier.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/files/readable.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> number(const Json& row, const char* key) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string text(const Json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool flag(const Json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_boolean() && found->get<bool>();
}

constexpr double kMostCounted = 4294967295;  ///< of what 32 bits count

/// Their medians. Older files and peers have none.
std::vector<Measurement> passes_of(const Json& row) {
  std::vector<Measurement> passes;
  const auto found = row.find("passes_ms");
  if (found == row.end() || !found->is_array()) return passes;
  for (const auto& each : *found) {
    if (each.is_number() && each.get<double>() > 0) passes.emplace_back().ms = each.get<double>();
  }
  return passes;
}

/// What is no size in a row, "m = 1e+300"; empty: nothing.
std::string wrong_size(const Json& row) {
  constexpr double kLargest = 9007199254740992;  // up to 2^53 every whole number has its own double
  if (!row.is_object()) return {};
  for (const auto* key : {"m", "n", "k", "batch"}) {
    const auto value = number(row, key);
    if (value && !(*value >= 1 && *value <= kLargest && std::floor(*value) == *value))
      return fmt::format("{} = {}", key, row[key].dump());
  }
  return {};
}

/// Where its sizes are such (wrong_size).
std::optional<bench::Row> row_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  bench::Row row;
  const std::pair<const char*, std::uint64_t*> sizes[] = {
      {"m", &row.product.m}, {"n", &row.product.n}, {"k", &row.product.k}, {"batch", &row.product.batch}};
  for (const auto& [key, size] : sizes) {
    const auto value = number(json, key);
    if (!value) return std::nullopt;
    *size = static_cast<std::uint64_t>(*value);
  }
  row.product.types = text(json, "types");
  row.product.layout = text(json, "layout");
  if (row.product.types.empty() || row.product.layout.empty()) return std::nullopt;
  row.kernel = text(json, "kernel");
  row.wanted_kernel = text(json, "wanted_kernel");
  row.wanted_split =
      static_cast<std::uint32_t>(std::clamp(number(json, "wanted_split").value_or(0), 0.0, kMostCounted));
  row.prepared = flag(json, "prepared");
  row.wanted_unchecked = text(json, "wanted_shaders") == "unchecked";
  row.note = text(json, "note");
  const auto ms = number(json, "ms");
  if (ms && *ms > 0 && text(json, "status") == "ok") {
    auto& time = row.time.emplace();
    time.ms = *ms;
    const auto spread = number(json, "spread");
    // Samples without a spread say as little as none.
    const auto samples = spread && *spread >= 0 ? number(json, "samples").value_or(0) : 0;
    time.spread = std::max(0.0, spread.value_or(0));
    time.samples = static_cast<std::uint32_t>(std::clamp(samples, 0.0, kMostCounted));
    row.passes = passes_of(json);
  }
  return row;
}

/// What is named where it differs: not the day, nor what says nothing of speed.
bool matters(std::string_view key) {
  constexpr std::array kSilent{"date", "choice", "library_path", "timestamp_quantum_ns", "profile", "name"};
  return std::ranges::find(kSilent, key) == kSilent.end();
}

void add_differences(std::vector<std::string>& found, const Json& there, const Json& here) {
  for (const auto& [key, value] : here.items()) {
    const auto other = there.find(key);
    if (!matters(key) || other == there.end() || *other == value) continue;
    // Limits, features, matrix units: named, not quoted.
    const bool quoted = !value.is_structured() && !other->is_structured();
    found.push_back(quoted ? fmt::format("{}: {} there, {} here", key, other->dump(), value.dump()) : key);
  }
}

}  // namespace

Result<Earlier> read_earlier(const std::string& path) {
  if (auto done = check_readable(path); !done) return tl::unexpected(done.error());
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  Earlier earlier;
  earlier.path = path;
  earlier.json = Json::parse(bytes, nullptr, /*allow_exceptions=*/false);
  const auto wrong = [&](std::string_view why) {
    return fail(
        ErrorCode::invalid_argument, path,
        fmt::format("'{}' {}; --compare wants what `wgemm bench --json FILE` or a script of bench/peers "
                    "wrote",
                    path, why));
  };
  if (!earlier.json.is_object()) return wrong("is no JSON object");
  const auto rows = earlier.json.find("rows");
  if (rows == earlier.json.end() || !rows->is_array()) return wrong("has no list of rows");
  for (const auto& json : *rows) {
    if (const auto size = wrong_size(json); !size.empty())
      return wrong(fmt::format("has a row with {}, which is no size", size));
    auto row = row_of(json);
    if (!row)
      return wrong(fmt::format("has a row without sizes, types or layout: {}", json.dump().substr(0, 80)));
    earlier.rows.push_back(std::move(*row));
  }
  earlier.peer = text(earlier.json, "peer");
  return earlier;
}

const bench::Row* find_earlier(const Earlier& earlier, const bench::Row& row) {
  const bench::Row* best = nullptr;
  int best_score = -1;
  const auto& product = row.product;
  for (const auto& there : earlier.rows) {
    const auto& other = there.product;
    const bool same = other.m == product.m && other.n == product.n && other.k == product.k &&
                      other.batch == product.batch && other.types == product.types &&
                      other.layout == product.layout;
    if (!same) continue;
    const int score = 8 * static_cast<int>(there.wanted_kernel == row.wanted_kernel) +
                      4 * static_cast<int>(there.wanted_split == row.wanted_split) +
                      2 * static_cast<int>(there.prepared == row.prepared) +
                      static_cast<int>(there.wanted_unchecked == row.wanted_unchecked);
    if (score <= best_score) continue;
    best = &there;
    best_score = score;
  }
  return best;
}

std::string differences(const Earlier& earlier, const bench::Row& there, const bench::Row& here) {
  std::vector<std::string> found;
  if (!earlier.peer.empty()) {
    if (!there.note.empty()) found.push_back(there.note);
    return fmt::format("{}", fmt::join(found, "; "));
  }
  if (there.kernel != here.kernel) found.push_back(there.kernel + " there");
  if (there.wanted_split != here.wanted_split) found.emplace_back("another split of k asked for there");
  if (there.prepared != here.prepared)
    found.emplace_back(there.prepared ? "B prepared there" : "B not prepared there");
  if (there.wanted_unchecked != here.wanted_unchecked)
    found.emplace_back(there.wanted_unchecked ? "unchecked there" : "checked there");
  return fmt::format("{}", fmt::join(found, "; "));
}

std::vector<std::string> differences(const Earlier& earlier, const Json& here) {
  std::vector<std::string> found;
  const auto compare = [&](const Json& there, const Json& other) {
    if (there.is_object() && other.is_object()) add_differences(found, there, other);
  };
  const auto member = [](const Json& json, const char* key) {
    return json.is_object() && json.contains(key) ? json[key] : Json();
  };
  const auto there_conditions = member(earlier.json, "conditions");
  const auto here_conditions = member(here, "conditions");
  compare(there_conditions, here_conditions);
  compare(member(there_conditions, "profile"), member(here_conditions, "profile"));
  for (const auto* key : {"wgemm", "seed"}) {
    const auto there = member(earlier.json, key);
    if (!there.is_null() && there != here[key])
      found.push_back(fmt::format("{}: {} there, {} here", key, there.dump(), here[key].dump()));
  }
  std::ranges::sort(found);
  const auto [first, last] = std::ranges::unique(found);
  found.erase(first, last);
  return found;
}

}  // namespace wgemm::cli
