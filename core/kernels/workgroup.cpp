#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family workgroup() {
  return {.name = "workgroup",
          .summary = "workgroups of many invocations, rows along x",
          .source = "workgroup",
          .parameters = {{"WX", 16, {1, 2, 4, 8, 16, 32, 64, 128, 256}, "invocations along x, rows of C"},
                         {"WY", 16, {1, 2, 4, 8, 16, 32, 64, 128, 256}, "invocations along y, columns of C"}},
          .constraints = {},
          .workgroup_x = "WX",
          .workgroup_y = "WY",
          .block_m = "WX",
          .block_n = "WY",
          .block_k = "1",
          .workgroup_bytes = "0",
          .registers = "3",
          .reuse_m = "1",
          .reuse_n = "1",
          .grid = Grid::rows_along_x};
}

}  // namespace wgemm::kernels
