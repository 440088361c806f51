#include "ladder/sweep.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "wgemm/planner.hpp"

namespace wgemm::ladder {
namespace {

using Parameters = std::map<std::string, std::int64_t, std::less<>>;

/// "tiled_TILE16_PAD0" -> TILE = 16, PAD = 0
Parameters parameters_of(std::string_view kernel) {
  Parameters result;
  for (auto start = kernel.find('_'); start != std::string_view::npos;) {
    const auto end = kernel.find('_', start + 1);
    const auto word = kernel.substr(start + 1, end == std::string_view::npos ? end : end - start - 1);
    const auto digits = word.find_first_of("0123456789");
    if (digits != std::string_view::npos) {
      result.emplace(word.substr(0, digits), std::stoll(std::string(word.substr(digits))));
    }
    start = end;
  }
  return result;
}

struct Sweep {
  int step;
  std::string_view family;
  std::string_view group;
  std::function<bool(Parameters&)> wanted;
  std::function<std::string(Parameters&)> label;
};

constexpr std::int64_t kInvocations = 256;

const std::vector<Sweep>& sweeps() {
  const auto shape = [](Parameters& p) { return p["WX"] * p["WY"] == kInvocations; };
  const auto size = [](Parameters& p) { return p["WX"] == p["WY"]; };
  const auto workgroup = [](Parameters& p) { return fmt::format("{}x{}", p["WX"], p["WY"]); };
  static const std::vector<Sweep> all{
      {2, "workgroup", "rung 2, rows along x: shape of 256 invocations", shape, workgroup},
      {2, "workgroup", "rung 2, rows along x: size of a square workgroup", size, workgroup},
      {3, "coalesced", "rung 3, columns along x: shape of 256 invocations", shape, workgroup},
      {3, "coalesced", "rung 3, columns along x: size of a square workgroup", size, workgroup},
      {4, "tiled", "rung 4: tile, and elements an invocation", [](Parameters& p) { return p["PAD"] == 0; },
       [](Parameters& p) { return fmt::format("{0}x{0}, {1}", p["TILE"], p["ROWS"]); }},
      {5, "thread-tile", "rung 5: outputs a thread, 8x8 threads",
       [](Parameters& p) { return p["BK"] == 16 && p["BM"] == 8 * p["TM"] && p["BN"] == 8 * p["TN"]; },
       [](Parameters& p) { return fmt::format("{}x{}", p["TM"], p["TN"]); }},
  };
  return all;
}

}  // namespace

std::vector<Row> sweep_rows(const DeviceProfile& profile) {
  std::vector<Row> rows;
  for (const auto& sweep : sweeps()) {
    const auto configurations = list_configurations(sweep.family, profile, DataType::f32);
    if (!configurations) continue;
    for (const auto& kernel : *configurations) {
      auto parameters = parameters_of(kernel);
      if (!sweep.wanted(parameters)) continue;
      Row row;
      row.kind = Kind::sweep;
      row.step = sweep.step;
      row.name = sweep.label(parameters);
      row.group = sweep.group;
      row.kernel = kernel;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace wgemm::ladder
