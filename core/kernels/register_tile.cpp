#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family register_tile() {
  return {
      .name = "register-tile",
      .summary = "large blocks in registers, vector loads that overlap with the arithmetic",
      .source = "register_tile",
      .parameters = {{"BM", 128, {16, 32, 64, 96, 128, 192, 256}, "rows of C that a workgroup computes"},
                     {"BN", 256, {16, 32, 64, 96, 128, 192, 256}, "columns of C that a workgroup computes"},
                     {"BK", 16, {4, 8, 16, 32, 64, 128}, "steps of k per tile"},
                     {"TM", 16, {4, 8, 12, 16}, "rows of C that an invocation computes"},
                     {"TN", 8, {4, 8, 12, 16}, "columns of C that an invocation computes"},
                     {"PAD", 4, {0, 4}, "floats added to a row of a tile, against bank conflicts"},
                     {"LX", 0, {0, 4, 8, 16}, "invocations side by side in a patch of 32; 0: a whole row"},
                     {"SLICES", 1, {1, 2, 4, 8, 16}, "groups of invocations that share a tile's k", true}},
      .constraints =
          {{"BK % (4 * SLICES) == 0", "each slice has whole vectors of a tile's k"},
           {"BK / SLICES <= 32", "a slice has at most 32 steps of a tile's k"},
           {"BM % TM == 0 && BN % TN == 0", "BM is a multiple of TM and BN of TN"},
           {"BM / TM * (BN / TN) * SLICES >= 16", "a workgroup has at least 16 invocations"},
           {"LX == 0 || (BN / TN % max(LX, 1) == 0 && BM / TM % (32 / max(LX, 1)) == 0)",
            "the invocations divide into patches of LX x 32 / LX"},
           {"BM * BK / 4 % (BM / TM * (BN / TN) * SLICES) == 0",
            "the vectors of A's tile divide evenly among the invocations"},
           {"BN * BK / 4 % (BM / TM * (BN / TN) * SLICES) == 0",
            "the vectors of B's tile divide evenly among the invocations"},
           {"TM * TN + (BM + BN) * BK / (BM / TM * (BN / TN) * SLICES) + TM + TN <= 232",
            "results, loads in flight and operands fit into 232 registers"},
           {"SLICES == 1 || (TM * TN + TM + TN) * (BM / TM * (BN / TN) * SLICES) + (BM + BN) * BK <= 65536",
            "the registers of all slices are at most 65536"},
           {"SLICES == 1 || BM / TM * BN <= BK / SLICES * (BM + BN + PAD)",
            "a row of each invocation's results fits where the tiles were"}},
      .workgroup_x = "BM / TM * (BN / TN) * SLICES",
      .workgroup_y = "1",
      .block_m = "BM",
      .block_n = "BN",
      .block_k = "BK",
      .workgroup_bytes = "4 * BK * (BM + BN + PAD * (1 + (SLICES == 1)))",
      .registers = "TM * TN + (BM + BN) * BK / (BM / TM * (BN / TN) * SLICES) + TM + TN",
      .reuse_m = "BM",
      .reuse_n = "BN",
      .access = Access::vectors};
}

}  // namespace wgemm::kernels
