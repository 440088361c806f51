#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family coalesced() {
  return {.name = "coalesced",
          .summary = "columns along x: lanes read neighbouring addresses",
          .source = "coalesced",
          .parameters = {{"WX", 16, {1, 2, 4, 8, 16, 32, 64, 128, 256}, "invocations along x, columns of C"},
                         {"WY", 16, {1, 2, 4, 8, 16, 32, 64, 128, 256}, "invocations along y, rows of C"}},
          .constraints = {},
          .workgroup_x = "WX",
          .workgroup_y = "WY",
          .block_m = "WY",
          .block_n = "WX",
          .block_k = "1",
          .workgroup_bytes = "0",
          .registers = "3",
          .reuse_m = "1",
          .reuse_n = "1"};
}

}  // namespace wgemm::kernels
