#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family thread_tile() {
  return {.name = "thread-tile",
          .summary = "TM x TN elements of C per invocation: fewer reads of workgroup memory per product",
          .source = "thread_tile",
          .parameters = {{"BM", 32, {8, 16, 32, 64}, "rows of C that a workgroup computes"},
                         {"BN", 32, {8, 16, 32, 64}, "columns of C that a workgroup computes"},
                         {"BK", 16, {8, 16, 32}, "steps of k per tile"},
                         {"TM", 4, {1, 2, 4, 8}, "rows of C that an invocation computes"},
                         {"TN", 4, {1, 2, 4, 8}, "columns of C that an invocation computes"}},
          .constraints = {{"BM % TM == 0 && BN % TN == 0", "BM is a multiple of TM and BN of TN"}},
          .workgroup_x = "BN / TN",
          .workgroup_y = "BM / TM",
          .block_m = "BM",
          .block_n = "BN",
          .block_k = "BK",
          .workgroup_bytes = "(BM + BN) * BK * 4",
          .registers = "TM * TN + TM + 1",
          .reuse_m = "BM",
          .reuse_n = "BN"};
}

}  // namespace wgemm::kernels
