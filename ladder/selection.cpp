#include "ladder/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "ladder/sweep.hpp"
#include "wgemm/ladder.hpp"

namespace wgemm::ladder {
namespace {

constexpr int kFirstTiledStep = 4;

bool gets_padding(const Rung& rung, Padding padding) {
  switch (padding) {
    case Padding::none:
      return false;
    case Padding::some:
      return rung.name == "tiled-16" || &rung == &list_rungs().back();
    case Padding::all:
      return rung.step >= kFirstTiledStep;
  }
  return false;
}

Row row_of(const Rung& rung, const DeviceProfile& profile, EdgePolicy edges) {
  auto chosen = rung_kernel(rung, profile);
  Row row;
  row.step = rung.step;
  row.name = rung.name;
  row.adds =
      edges == EdgePolicy::padded ? "the same on operands padded to whole tiles" : std::string(rung.adds);
  row.kernel = std::move(chosen.kernel);
  row.operands = chosen.operands;
  row.edges = edges;
  if (row.operands == DataType::f16) row.note = "inputs rounded to f16 and judged as such; sums in f32";
  return row;
}

bool is_wanted_step(const Options& options, int step) {
  return std::ranges::any_of(
      list_rungs(), [&](const Rung& rung) { return rung.step == step && is_wanted(options, rung.name); });
}

}  // namespace

Result<void> check_names(const Options& options) {
  for (const auto& name : options.only) {
    if (name == "cpu" || name == "blas") continue;
    const auto& rungs = list_rungs();
    if (std::ranges::any_of(rungs, [&](const Rung& rung) { return rung.name == name; })) continue;
    std::string known = "cpu, blas";
    for (const auto& rung : rungs) known += ", " + std::string(rung.name);
    return fail(ErrorCode::not_found, "rungs",
                fmt::format("there is no rung '{}'; there are {}", name, known));
  }
  return {};
}

bool is_wanted(const Options& options, std::string_view name) {
  const auto& only = options.only;
  return only.empty() || std::ranges::find(only, name) != only.end();
}

std::vector<Row> rows_to_climb(const Options& options, const DeviceProfile& profile) {
  std::vector<Row> rows;
  if (options.sweep) {
    rows = sweep_rows(profile);
    std::erase_if(rows, [&](const Row& row) { return !is_wanted_step(options, row.step); });
    return rows;
  }
  for (const auto& rung : list_rungs()) {
    if (!is_wanted(options, rung.name)) continue;
    rows.push_back(row_of(rung, profile, EdgePolicy::checked));
    if (gets_padding(rung, options.padding)) rows.push_back(row_of(rung, profile, EdgePolicy::padded));
  }
  return rows;
}

}  // namespace wgemm::ladder
