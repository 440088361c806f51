#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family skinny_n() {
  return {
      .name = "skinny-n",
      .summary = "few rows of C against a row-major B: lanes along its rows, slices of k beside each other",
      .source = "skinny_n",
      .parameters = {{"TM", 1, {1, 2, 4, 8, 16}, "rows of C that a workgroup computes"},
                     {"BN", 64, {16, 32, 64, 128, 256}, "columns of C that a workgroup computes"},
                     {"SLICES", 16, {1, 2, 4, 8, 16, 32, 64}, "parts of k that a workgroup works on at once"},
                     {"KS", 8, {4, 8, 16}, "steps of k that a slice takes at a time"}},
      .constraints = {{"BN / 4 * SLICES >= 16", "a workgroup has at least 16 invocations"},
                      {"8 * TM + 4 * KS <= 160", "results and operands fit into 160 registers"}},
      .workgroup_x = "BN / 4",
      .workgroup_y = "SLICES",
      .block_m = "TM",
      .block_n = "BN",
      .block_k = "SLICES * KS",
      .workgroup_bytes = "4 * min(TM, max(1, 4096 / (SLICES * BN))) * SLICES * BN",
      .registers = "8 * TM + 4 * KS",
      .reuse_m = "TM",
      .reuse_n = "4",
      .access = Access::skinny_along_n};
}

}  // namespace wgemm::kernels
