#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family packed_dot() {
  return {.name = "packed-dot",
          .summary = "integers of 8 bits: four k in a word, multiplied and added by one instruction",
          .source = "packed_dot",
          .parameters = {{"BM", 32, {8, 16, 32, 64, 128}, "rows of C that a workgroup computes"},
                         {"BN", 32, {8, 16, 32, 64, 128}, "columns of C that a workgroup computes"},
                         {"BK", 64, {16, 32, 64, 128}, "steps of k per tile"},
                         {"TM", 4, {1, 2, 4, 8}, "rows of C that an invocation computes"},
                         {"TN", 4, {1, 2, 4, 8}, "columns of C that an invocation computes"},
                         {"PAD", 1, {0, 1}, "words added to a staged row, against bank conflicts"}},
          .constraints = {{"BM % TM == 0 && BN % TN == 0", "BM is a multiple of TM and BN of TN"},
                          {"TM * BK / 4 % (BN / TN) == 0", "A's tile divides evenly among the invocations"},
                          {"TN * BK / 4 % (BM / TM) == 0", "B's tile divides evenly among the invocations"}},
          .workgroup_x = "BN / TN",
          .workgroup_y = "BM / TM",
          .block_m = "BM",
          .block_n = "BN",
          .block_k = "BK",
          .workgroup_bytes = "(BM + BN) * (BK / 4 + PAD) * 4",
          .registers = "TM * TN + 2 * (TM + TN)",
          .reuse_m = "BM",
          .reuse_n = "BN",
          .access = Access::words_along_k};
}

}  // namespace wgemm::kernels
