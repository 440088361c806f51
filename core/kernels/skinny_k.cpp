#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family skinny_k() {
  return {.name = "skinny-k",
          .summary = "few rows of C against a column-major B: lanes along k, sums in workgroup memory",
          .source = "skinny_k",
          .parameters = {{"TM", 1, {1, 2, 4, 8, 16}, "rows of C that a workgroup computes"},
                         {"TN", 4, {1, 2, 4, 8}, "columns of C that an invocation has a part of"},
                         {"LANES", 32, {8, 16, 32, 64, 128}, "invocations along k"},
                         {"GROUPS", 8, {1, 2, 4, 8, 16}, "of them side by side, with other columns"}},
          .constraints = {{"LANES * GROUPS >= 16", "a workgroup has at least 16 invocations"},
                          {"TM * TN + 4 * TN + 4 <= 168", "results and operands fit into 168 registers"}},
          .workgroup_x = "LANES",
          .workgroup_y = "GROUPS",
          .block_m = "TM",
          .block_n = "TN * GROUPS",
          .block_k = "4 * LANES",
          .workgroup_bytes =
              "4 * min(TM, max(1, 4096 / (TN * GROUPS * (LANES + 1)))) * TN * GROUPS * (LANES + 1)",
          .registers = "TM * TN + 4 * TN + 4",
          .reuse_m = "TM",
          .reuse_n = "TN",
          .access = Access::skinny_along_k};
}

}  // namespace wgemm::kernels
