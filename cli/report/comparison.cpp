#include "cli/report/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/compare.hpp"
#include "bench/passes.hpp"
#include "cli/report/figures.hpp"
#include "cli/terminal/text.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kSizes = 22;
constexpr std::size_t kTypes = 10;
constexpr std::size_t kLayout = 2;
constexpr std::size_t kMs = 9;
constexpr std::size_t kRatio = 7;
constexpr std::size_t kVerdict = 7;
constexpr std::size_t kIndent = 2;

/// The ratios of rows of the same types.
struct Ratios {
  double log_sum = 0;
  std::size_t count = 0;
  double least = 0;
  std::string least_at;

  void add(double ratio, const std::string& sizes) {
    if (count == 0 || ratio < least) {
      least = ratio;
      least_at = sizes;
    }
    log_sum += std::log(ratio);
    ++count;
  }
  [[nodiscard]] Json json() const {
    return {{"rows", count},
            {"geometric_mean", std::exp(log_sum / static_cast<double>(count))},
            {"least", least},
            {"least_at", least_at}};
  }
};

/// How a row was to be run, where it is not as usual.
std::vector<std::string> ways_of(const bench::Row& row) {
  std::vector<std::string> ways;
  if (!row.wanted_kernel.empty()) ways.push_back(row.wanted_kernel);
  if (row.wanted_split != 0) ways.push_back(fmt::format("k in {}", row.wanted_split));
  if (row.prepared) ways.emplace_back("B prepared");
  if (row.wanted_unchecked) ways.emplace_back("unchecked");
  return ways;
}

/// What a mean is taken over: rows that were run alike.
std::string group_of(const bench::Row& row) {
  auto words = ways_of(row);
  words.insert(words.begin(), row.product.types);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::optional<double> pass_spread_of(const bench::Row& row) {
  std::vector<double> medians;
  medians.reserve(row.passes.size());
  for (const auto& pass : row.passes) medians.push_back(pass.ms);
  return bench::pass_spread(medians);
}

/// Of the rows of a run that have several passes.
std::vector<double> pass_spreads(const std::vector<bench::Row>& rows) {
  std::vector<double> spreads;
  for (const auto& row : rows) {
    if (const auto spread = pass_spread_of(row)) spreads.push_back(*spread);
  }
  return spreads;
}

bench::Timing timing_of(const bench::Row& row, const std::vector<double>& spreads) {
  const auto time = row.time.value_or(Measurement{});  // asked of rows that have one
  return {time.ms, time.spread, time.samples, bench::drift_of(pass_spread_of(row), spreads)};
}

Colour colour_of(std::string_view verdict) {
  if (verdict == "faster") return Colour::green;
  return verdict == "slower" ? Colour::red : Colour::none;
}

void print_row(Terminal& terminal, const Json& row) {
  const auto& change = row["comparison"];
  const auto text = [](const Json& json) { return json.get<std::string>(); };
  bench::Product product;
  product.m = row["m"];
  product.n = row["n"];
  product.k = row["k"];
  product.batch = row["batch"];
  const auto verdict = text(change["change"]);
  const auto ratio = fmt::format("{:.3f}", change["ratio"].get<double>());
  auto rest = text(change["way"]);
  if (const auto differs = text(change["differs"]); !differs.empty()) {
    rest += (rest.empty() ? "" : "; ") + differs;
  }
  terminal.line(fmt::format(
      "{} {} {} {} {} {}  {} {}", left(bench::sizes_of(product), kSizes), left(text(row["types"]), kTypes),
      left(text(row["layout"]), kLayout), right(digits(change["before_ms"].get<double>()), kMs),
      right(digits(row["ms"].get<double>()), kMs), right(ratio, kRatio),
      terminal.paint(colour_of(verdict), left(verdict, kVerdict)), terminal.paint(Colour::dim, rest)));
}

void print_wrapped(Terminal& terminal, std::string_view text) {
  for (const auto& line : wrap(text, static_cast<std::size_t>(terminal.width()) - kIndent)) {
    terminal.line(std::string(kIndent, ' ') + line);
  }
}

}  // namespace

void add_comparison(Json& json, const std::vector<bench::Row>& now, const Earlier& earlier) {
  std::map<std::string, Ratios> by_group;
  std::size_t unmatched = 0;
  const auto spreads_then = pass_spreads(earlier.rows);
  const auto spreads_now = pass_spreads(now);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto& row = now[i];
    auto& target = json["rows"][i]["comparison"];
    target = nullptr;
    const auto* there = find_earlier(earlier, row);
    if (there == nullptr || !there->time || !row.time) {
      ++unmatched;
      continue;
    }
    const auto change = bench::compare(timing_of(*there, spreads_then), timing_of(row, spreads_now));
    target = {{"before_ms", there->time->ms},
              {"ratio", change.ratio},
              {"change", to_string(change.verdict)},
              {"way", fmt::format("{}", fmt::join(ways_of(row), ", "))},
              {"differs", differences(earlier, *there, row)}};
    by_group[group_of(row)].add(change.ratio, bench::sizes_of(row.product));
  }
  auto means = Json::object();
  for (const auto& [types, ratios] : by_group) means[types] = ratios.json();
  const auto differing = differences(earlier, json);
  const auto conditions = earlier.json.find("conditions");
  json["comparison"] = {{"file", earlier.path},
                        {"peer", earlier.peer},
                        {"conditions", conditions == earlier.json.end() ? Json() : *conditions},
                        {"differences", differing},
                        {"unmatched", unmatched},
                        {"by_group", std::move(means)}};
}

void print_comparison(Terminal& terminal, const Json& json) {
  const auto& whole = json["comparison"];
  const auto peer = whole["peer"].get<std::string>();
  terminal.line();
  terminal.line(terminal.paint(
      Colour::bold,
      fmt::format("Compared with {} ({})", peer.empty() ? "then" : peer, whole["file"].get<std::string>())));
  terminal.line(terminal.paint(
      Colour::dim,
      fmt::format("{} {} {} {} {} {}  {}", left("m x n x k", kSizes), left("types", kTypes),
                  left("", kLayout), right(peer.empty() ? "ms then" : "ms there", kMs), right("ms now", kMs),
                  right("ratio", kRatio), peer.empty() ? "now is" : "wgemm is")));
  for (const auto& row : json["rows"]) {
    if (!row["comparison"].is_null()) print_row(terminal, row);
  }
  for (const auto& [types, mean] : whole["by_group"].items()) {
    terminal.line(fmt::format("{}: geometric mean of {} ratios {:.3f}, the least {:.3f} ({})", types,
                              mean["rows"].get<std::size_t>(), mean["geometric_mean"].get<double>(),
                              mean["least"].get<double>(), mean["least_at"].get<std::string>()));
  }
  if (const auto unmatched = whole["unmatched"].get<std::size_t>(); unmatched > 0) {
    terminal.line(fmt::format("{} rows have no time on both sides", unmatched));
  }
  print_wrapped(
      terminal,
      fmt::format(
          "ratio: time there over time now. same: the medians differ by {:.0f} % or less, or by no more "
          "than both notches (1.57 interquartile ranges over the root of the samples; McGill, Tukey "
          "and Larsen, 1978) and what passes over the rows are apart. unknown: too few samples, or "
          "one pass only and no difference beyond the {:.0f} % that is assumed between passes then.",
          bench::kLeastDifference * 100, bench::kAssumedDrift * 100));
  if (!peer.empty() && whole["conditions"].is_object()) {
    std::vector<std::string> there;
    for (const auto& [key, value] : whole["conditions"].items()) {
      there.push_back(fmt::format("{} {}", key, value.is_string() ? value.get<std::string>() : value.dump()));
    }
    print_wrapped(terminal, fmt::format("there: {}", fmt::join(there, ", ")));
  }
  for (const auto& difference : whole["differences"]) {
    print_wrapped(terminal, terminal.paint(Colour::yellow, "differs: " + difference.get<std::string>()));
  }
}

}  // namespace wgemm::cli
