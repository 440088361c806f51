#include "tests/kernels/subjects.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/kernels/kernel.hpp"
#include "wgemm/ladder.hpp"

namespace wgemm::tests {
namespace {

struct StandIn {
  std::string_view rung;
  std::string_view kernel;  ///< not square where the family allows, so that a mix-up of m and n shows
};

/// Lavapipe compiles these rungs in 1 to 5 s a text, and their stand-ins in 0.5 to 0.9 s.
constexpr std::array<StandIn, 5> kStandIns{{{"tiled-32", "tiled_TILE8_ROWS4_PAD0"},
                                            {"thread-tile-4x4", "thread-tile_BM8_BN16_BK8_TM2_TN4"},
                                            {"unrolled", "unrolled_BM8_BN16_BK8_TM2_TN4"},
                                            {"vec4", "vec4_BM8_BN16_BK8_TM2_TN4"},
                                            {"register-tile", "register-tile_BM16_BN16_BK4_TM4_TN4"}}};

/// Kernels that are no rung; small ones.
constexpr std::array<std::string_view, 3> kOthers{"register-tile_BM16_BN16_BK16_TM4_TN4_SLICES4",
                                                  "skinny-n_TM2_BN32_SLICES4_KS4",
                                                  "skinny-k_TM2_TN2_LANES8_GROUPS4"};

/// Kernels and subgroup sizes of the emulated dialect. With f16 few sizes, for the text grows as lanes get
/// fewer.
struct Emulated {
  std::string_view kernel;
  std::vector<int> lanes;
  DataType type;
};
const std::array<Emulated, 12> kEmulated{
    {{"subgroup-matrix_MM8_MN8_MK8", {4, 8, 16, 32, 64, 128}, DataType::f32},
     {"subgroup-matrix_MM16_MN16_MK16", {64}, DataType::f16},
     {"subgroup-matrix_MM16_MN8_MK16", {32}, DataType::f16},
     {"subgroup-matrix_MM16_MN8_MK8", {8, 32}, DataType::f16},
     {"matrix-tile_BM32_BN32_BK16_WM16_WN16_MM8_MN8_MK8", {8, 16}, DataType::f32},
     {"matrix-tile_BM32_BN32_BK32_WM16_WN16_MM16_MN16_MK16", {32}, DataType::f16},
     {"matrix-tile_BM32_BN16_BK16_WM16_WN16_MM16_MN8_MK16_AHEAD2", {16}, DataType::f16},
     {"matrix-tile_BM16_BN32_BK32_WM16_WN16_MM8_MN8_MK8_SLICES2", {8}, DataType::f32},
     {"matrix-tile_BM32_BN32_BK64_WM16_WN16_MM16_MN8_MK16_SLICES4", {16}, DataType::f16},
     {"matrix-tile_BM32_BN32_BK16_WM16_WN16_MM8_MN8_MK8_BUFFERS2", {8}, DataType::f32},
     {"matrix-tile_BM32_BN32_BK32_WM16_WN16_MM16_MN8_MK16_AHEAD2_BUFFERS3", {16}, DataType::f16},
     // Half of the invocations bring a vector more than the others.
     {"matrix-tile_BM192_BN64_BK16_WM48_WN64_MM16_MN16_MK16_PAD0_BUFFERS3", {64}, DataType::f16}}};

Subject make_subject(std::string_view label, std::string_view kernel, Setting setting, DataType operands) {
  Subject subject;
  subject.label = label;
  subject.kernel = kernel;
  subject.setting = setting;
  subject.operands = operands;
  const auto parsed = kernels::parse(kernel);
  if (!parsed) return subject;  // its cases fail with the planner's own words
  const auto figures = kernels::geometry(*parsed, operands);
  const auto nominal = [](std::uint64_t block) { return block == 1 ? 16 : block; };
  subject.family = parsed->family->name;
  subject.block = {nominal(figures->block_m), nominal(figures->block_n), nominal(figures->block_k)};
  subject.tiled = figures->workgroup_bytes > 0;
  return subject;
}

}  // namespace

std::vector<Subject> subjects(Setting setting) {
  const auto profile = Bench::get().profile(setting);
  std::vector<Subject> found;
  for (const auto& rung : list_rungs()) {
    const auto chosen = rung_kernel(rung, profile);
    const auto kernel = kernels::parse(chosen.kernel);
    if (kernel && !kernels::check(*kernel, profile, chosen.operands)) continue;
    found.push_back(make_subject(rung.name, chosen.kernel, setting, chosen.operands));
    const auto* const stand_in = std::ranges::find(kStandIns, rung.name, &StandIn::rung);
    if (stand_in == kStandIns.end()) continue;
    found.back().heavy = true;
    found.push_back(make_subject(stand_in->kernel, stand_in->kernel, setting, chosen.operands));
  }
  for (const auto kernel : kOthers) found.push_back(make_subject(kernel, kernel, setting, DataType::f32));
  return found;
}

std::vector<Subject> light_subjects(Setting setting) {
  auto found = subjects(setting);
  std::erase_if(found, [](const Subject& subject) { return subject.heavy; });
  return found;
}

std::vector<Subject> half_subjects() {
  if (!Bench::get().profile(Setting::standard).shader_f16) return {};
  auto found = light_subjects(Setting::standard);
  std::set<std::string> families;
  std::erase_if(found, [&](const Subject& subject) { return !families.insert(subject.family).second; });
  for (auto& subject : found) subject.operands = DataType::f16;
  return found;
}

std::vector<Subject> emulated_subjects() {
  const bool half = Bench::get().profile(Setting::emulated).shader_f16;
  std::vector<Subject> found;
  for (const auto& [stem, all_lanes, type] : kEmulated) {
    if (type == DataType::f16 && !half) continue;
    for (const int lanes : all_lanes) {
      const auto kernel = std::string(stem) + "_LANES" + std::to_string(lanes);
      found.push_back(make_subject(kernel, kernel, Setting::emulated, type));
    }
  }
  return found;
}

}  // namespace wgemm::tests
