#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family subgroup_matrix() {
  return {.name = "subgroup-matrix",
          .summary = "the matrix units multiply: four subgroups, each with 2 x 2 matrices",
          .source = "subgroup_matrix",
          .parameters = {{"MM", 16, {8, 16}, "rows of the matrices that the units multiply"},
                         {"MN", 16, {8, 16}, "columns of the matrices that the units multiply"},
                         {"MK", 16, {8, 16}, "steps of k of the matrices that the units multiply"},
                         {"LANES", 32, {4, 8, 16, 32, 64, 128}, "invocations of a subgroup"},
                         {"BK", 32, {16, 32}, "steps of k per tile"},
                         {"PAD", 8, {0, 8}, "elements added to a staged row, against bank conflicts"}},
          .constraints = {{"BK % MK == 0", "BK is a multiple of MK"},
                          // Vulkan: the rows of a matrix in memory start at multiples of 16 bytes.
                          {"(BK + PAD) % 8 == 0", "staged rows start at multiples of 16 bytes"}},
          .workgroup_x = "4 * LANES",
          .workgroup_y = "1",
          .block_m = "4 * MM",
          .block_n = "4 * MN",
          .block_k = "BK",
          .workgroup_bytes = "(4 * MM * (BK + PAD) + 2 * BK * (2 * MN + PAD)) * STORED + 4 * MM * MN * 4",
          .registers = "(4 * MM * MN + (2 * MM + 2 * MN) * MK * STORED / 4) / LANES",
          .operations = "4 * (BK / MK)",
          .reuse_m = "4 * MM",
          .reuse_n = "4 * MN",
          .matrix_units = true};
}

}  // namespace wgemm::kernels
