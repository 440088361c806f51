#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family matrix_tile() {
  return {
      .name = "matrix-tile",
      .summary = "matrix units at speed: large blocks, vector loads that overlap with the multiplies",
      .source = "matrix_tile",
      .parameters = {{"BM", 128, {16, 32, 64, 128, 192, 256}, "rows of C that a workgroup computes"},
                     {"BN", 128, {16, 32, 64, 128, 192, 256}, "columns of C that a workgroup computes"},
                     {"BK", 32, {16, 32, 64, 128, 256}, "steps of k per tile"},
                     {"WM", 64, {16, 32, 48, 64}, "rows of C that a subgroup computes"},
                     {"WN", 64, {16, 32, 48, 64}, "columns of C that a subgroup computes"},
                     {"MM", 16, {8, 16}, "rows of the matrices that the units multiply"},
                     {"MN", 16, {8, 16}, "columns of the matrices that the units multiply"},
                     {"MK", 16, {8, 16}, "steps of k of the matrices that the units multiply"},
                     {"LANES", 32, {4, 8, 16, 32, 64}, "invocations of a subgroup"},
                     {"PAD", 8, {0, 8}, "elements added to a staged row, against bank conflicts"},
                     {"AHEAD", 1, {1, 2}, "tiles that are on their way while one is multiplied"},
                     {"SLICES", 1, {1, 2, 4, 8}, "parts of a tile's k, each with subgroups of its own", true},
                     {"BUFFERS", 1, {1, 2, 3}, "tiles in workgroup memory", true}},
      .constraints = {{"BM % WM == 0 && BN % WN == 0", "BM is a multiple of WM and BN of WN"},
                      {"BM / WM * (BN / WN) <= 16", "a workgroup has at most 16 subgroups"},
                      {"BM / WM * (BN / WN) * SLICES <= 16", "a workgroup has at most 16 subgroups"},
                      {"BK % (SLICES * MK) == 0", "each slice of BK is a multiple of MK"},
                      {"SLICES == 1 || BUFFERS == 1", "either slices or buffers"},
                      // An idle half costs less there than another shape of the block would.
                      {"BM * BK / 8 * min(BUFFERS, 2) % (BM / WM * (BN / WN) * SLICES * LANES) == 0",
                       "the vectors of A's tile, with several buffers halves of them, divide evenly among the"
                       " invocations"},
                      {"BN * BK / 8 * min(BUFFERS, 2) % (BM / WM * (BN / WN) * SLICES * LANES) == 0",
                       "the vectors of B's tile, with several buffers halves of them, divide evenly among the"
                       " invocations"},
                      {"(WM * WN + (WM + WN) * MK / 2 * (1 + BUFFERS / 3)) / LANES"
                       " + AHEAD * (BM + BN) * BK / 2 / (BM / WM * (BN / WN) * SLICES * LANES) <= 232",
                       "results, matrices and loads in flight fit into 232 registers"}},
      .workgroup_x = "BM / WM * (BN / WN) * SLICES * LANES",
      .workgroup_y = "1",
      .block_m = "BM",
      .block_n = "BN",
      .block_k = "AHEAD * BK",
      // Of the layout that takes more.
      .workgroup_bytes =
          "BUFFERS * (max(BM / WM * SLICES * (WM * (BK / SLICES + PAD) * STORED"
          " + min(SLICES - 1, 1)"
          " * ((BK / SLICES * STORED / 16 + 8 - WM * (BK / SLICES + PAD) * STORED / 16 % 8) % 8 * 16)),"
          " BM / WM * SLICES * (BK / SLICES * (WM + PAD) * STORED"
          " + (WM * STORED / 16 + 8 - BK / SLICES * (WM + PAD) * STORED / 16 % 8) % 8 * 16))"
          " + max(BN / WN * SLICES * (WN * (BK / SLICES + PAD) * STORED"
          " + min(SLICES - 1, 1)"
          " * ((BK / SLICES * STORED / 16 + 8 - WN * (BK / SLICES + PAD) * STORED / 16 % 8) % 8 * 16)),"
          " BN / WN * SLICES * (BK / SLICES * (WN + PAD) * STORED"
          " + (WN * STORED / 16 + 8 - BK / SLICES * (WN + PAD) * STORED / 16 % 8) % 8 * 16)))"
          " + min(BM / WM * (BN / WN) * SLICES, 16 - 14 * min(BUFFERS - 1, 1)) * MM * MN * 4",
      .registers =
          "(WM * WN + (WM + WN) * MK * STORED / 4 * (1 + BUFFERS / 3)) / LANES"
          " + AHEAD * (BM + BN) * BK * STORED / 4 / (BM / WM * (BN / WN) * SLICES * LANES)",
      .operations = "WM / MM * (WN / MN) * (BK / SLICES / MK) * AHEAD",
      .reuse_m = "BM",
      .reuse_n = "BN",
      .access = Access::vectors_wide,
      .matrix_units = true};
}

}  // namespace wgemm::kernels
