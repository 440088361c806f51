#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family vec4() {
  return {.name = "vec4",
          .summary = "four k in one vector: wide loads, dot products, B transposed",
          .source = "vec4",
          .parameters = {{"BM", 32, {8, 16, 32, 64}, "rows of C that a workgroup computes"},
                         {"BN", 32, {8, 16, 32, 64}, "columns of C that a workgroup computes"},
                         {"BK", 32, {8, 16, 32}, "steps of k per tile"},
                         {"TM", 4, {1, 2, 4, 8}, "rows of C that an invocation computes"},
                         {"TN", 4, {1, 2, 4, 8}, "columns of C that an invocation computes"},
                         {"PAD", 1, {0, 1}, "vectors added to a staged row, against bank conflicts"}},
          .constraints = {{"BM % TM == 0 && BN % TN == 0", "BM is a multiple of TM and BN of TN"},
                          {"TM * BK / 4 % (BN / TN) == 0", "A's tile divides evenly among the invocations"},
                          {"TN * BK / 4 % (BM / TM) == 0", "B's tile divides evenly among the invocations"}},
          .workgroup_x = "BN / TN",
          .workgroup_y = "BM / TM",
          .block_m = "BM",
          .block_n = "BN",
          .block_k = "BK",
          .workgroup_bytes = "(BM + BN) * (BK / 4 + PAD) * 16",
          .registers = "TM * TN + 4 * (TM + TN)",
          .reuse_m = "BM",
          .reuse_n = "BN",
          .access = Access::vectors_along_k};
}

}  // namespace wgemm::kernels
