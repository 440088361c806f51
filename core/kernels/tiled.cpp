#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family tiled() {
  return {.name = "tiled",
          .summary = "tiles of A and B in workgroup memory, each element reused TILE times",
          .source = "tiled",
          .parameters = {{"TILE", 16, {4, 8, 16, 32}, "edge of the block of C that a workgroup computes"},
                         {"ROWS", 1, {1, 2, 4}, "elements of C that an invocation computes"},
                         {"PAD", 0, {0, 1}, "columns added to a staged row, against bank conflicts"}},
          .constraints = {{"TILE % ROWS == 0", "TILE is a multiple of ROWS"}},
          .workgroup_x = "TILE",
          .workgroup_y = "TILE / ROWS",
          .block_m = "TILE",
          .block_n = "TILE",
          .block_k = "TILE",
          .workgroup_bytes = "2 * TILE * (TILE + PAD) * 4",
          .registers = "2 * ROWS + 1",
          .reuse_m = "TILE",
          .reuse_n = "TILE"};
}

}  // namespace wgemm::kernels
