#include "core/kernels/rungs.hpp"

#include <algorithm>

#include "core/kernels/kernel.hpp"

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
      {4, "tiled-transposed", "B's tile stored transposed: both operands read along k",
       "tiled-transposed_TILE16_PAD0"},
      {5, "thread-tile-2x2", "2x2 elements an invocation: a read of workgroup memory for each product",
       "thread-tile_BM16_BN16_BK16_TM2_TN2"},
      {5, "thread-tile-4x4", "4x4 elements an invocation: half a read for each product",
       "thread-tile_BM32_BN32_BK16_TM4_TN4"},
      {6, "unrolled", "4x4 again, its loops written out and its sums in named variables",
       "unrolled_BM32_BN32_BK16_TM4_TN4"},
      {7, "vec4", "four k in one vector: wide loads, dot products, B transposed",
       "vec4_BM32_BN32_BK32_TM4_TN4_PAD1"},
      {8, "subgroup-matrix", "matrix units: four subgroups, each with 2x2 matrices", "subgroup-matrix"},
      {9, "register-tile", "large blocks in registers, vector loads that overlap with the arithmetic",
       "register-tile_BM128_BN256_BK16_TM16_TN8_PAD4_LX0"},
  };
  return rungs;
}

namespace {

/// Matrix units: the first shape that the device reports, f32 before f16, and its real subgroup size. Four
/// subgroups, two by two, each with 2 x 2 matrices, as the tutorial has it.
RungKernel matrix_kernel(std::string_view family, std::string_view standard, const DeviceProfile& profile) {
  for (const auto type : {DataType::f32, DataType::f16}) {
    for (const auto& config : profile.matrix_configs) {
      if (config.component != type || config.result != DataType::f32) continue;
      return {std::string(family) + "_MM" + std::to_string(config.m) + "_MN" + std::to_string(config.n) +
                  "_MK" + std::to_string(config.k) + "_LANES" + std::to_string(profile.subgroup_size),
              type};
    }
  }
  return {std::string(standard), DataType::f32};
}

/// The largest blocks that fit. Software drivers take many seconds to compile them, so there small ones stand
/// for them.
std::string register_tile_kernel(std::string_view standard, const DeviceProfile& profile) {
  if (profile.type == AdapterType::software) return "register-tile_BM64_BN64_BK16_TM8_TN4_PAD0_LX0";
  const auto kernel = kernels::parse(standard);
  if (kernel && kernels::check(*kernel, profile, DataType::f32)) return std::string(standard);
  return "register-tile_BM128_BN128_BK16_TM8_TN8_PAD0_LX4";  // within the specification's minimum limits
}

}  // namespace

RungKernel rung_kernel(const Rung& rung, const DeviceProfile& profile) {
  const auto base = rung.kernel.substr(0, rung.kernel.find('_'));
  if (base == "subgroup-matrix") return matrix_kernel(base, rung.kernel, profile);
  if (base == "register-tile") return {register_tile_kernel(rung.kernel, profile), DataType::f32};
  return {std::string(rung.kernel), DataType::f32};
}

namespace kernels {

const Rung* find_rung(std::string_view name) {
  const auto& rungs = list_rungs();
  const auto found = std::ranges::find_if(rungs, [&](const Rung& rung) { return rung.name == name; });
  return found == rungs.end() ? nullptr : &*found;
}

}  // namespace kernels
}  // namespace wgemm
