#include "core/kernels/rungs.hpp"

#include <algorithm>

#include "core/kernels/family.hpp"

namespace wgemm {

const std::vector<Rung>& list_rungs() {
  static const std::vector<Rung> rungs{
      {1, "naive", "one invocation, one element of C", "naive"},
      {2, "workgroup", "workgroups of 16x16, rows along x", "workgroup_WX16_WY16"},
      {3, "coalesced", "columns along x: neighbouring lanes, neighbouring addresses", "coalesced_WX16_WY16"},
      {4, "tiled-8", "8x8 tiles of A and B in workgroup memory", "tiled_TILE8_ROWS1_PAD0"},
      {4, "tiled-16", "16x16 tiles: each element read is used 16 times", "tiled_TILE16_ROWS1_PAD0"},
      {4, "tiled-32", "32x32 tiles, 256 invocations of four elements", "tiled_TILE32_ROWS4_PAD0"},
      {4, "tiled-padded", "rows of 17 in workgroup memory, against bank conflicts",
       "tiled_TILE16_ROWS1_PAD1"},
  };
  return rungs;
}

RungKernel rung_kernel(const Rung& rung, const DeviceProfile& profile) {
  const auto base = rung.kernel.substr(0, rung.kernel.find('_'));
  const auto* family = kernels::find_family(base);
  RungKernel result{std::string(rung.kernel), DataType::f32};
  if (family == nullptr || !family->matrix_units) return result;
  const MatrixConfig* chosen = nullptr;
  for (const auto type : {DataType::f32, DataType::f16}) {
    for (const auto& config : profile.matrix_configs) {
      if (chosen == nullptr && config.component == type && config.result == DataType::f32) chosen = &config;
    }
  }
  if (chosen == nullptr) return result;
  // Four subgroups, two by two, each with 2 x 2 matrices, as the tutorial has it.
  result.operands = chosen->component;
  result.kernel = std::string(base) + "_MM" + std::to_string(chosen->m) + "_MN" + std::to_string(chosen->n) +
                  "_MK" + std::to_string(chosen->k) + "_LANES" + std::to_string(profile.subgroup_size);
  return result;
}

namespace kernels {

const Rung* find_rung(std::string_view name) {
  const auto& rungs = list_rungs();
  const auto found =
      std::find_if(rungs.begin(), rungs.end(), [&](const Rung& rung) { return rung.name == name; });
  return found == rungs.end() ? nullptr : &*found;
}

}  // namespace kernels
}  // namespace wgemm
