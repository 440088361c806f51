#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family tiled_transposed() {
  return {.name = "tiled-transposed",
          .summary = "the tile of B stored transposed: both operands read along k",
          .source = "tiled_transposed",
          .parameters = {{"TILE", 16, {4, 8, 16, 32}, "edge of the block of C that a workgroup computes"},
                         {"PAD", 0, {0, 1}, "elements added to a staged row, against bank conflicts"}},
          .constraints = {},
          .workgroup_x = "TILE",
          .workgroup_y = "TILE",
          .block_m = "TILE",
          .block_n = "TILE",
          .block_k = "TILE",
          .workgroup_bytes = "2 * TILE * (TILE + PAD) * 4",
          .registers = "3",
          .reuse_m = "TILE",
          .reuse_n = "TILE"};
}

}  // namespace wgemm::kernels
