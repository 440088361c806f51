#include "core/kernels/registry.hpp"

namespace wgemm::kernels {

Family naive() {
  return {.name = "naive",
          .summary = "one invocation, one element of C",
          .source = "naive",
          .parameters = {},
          .constraints = {},
          .workgroup_x = "1",
          .workgroup_y = "1",
          .block_m = "1",
          .block_n = "1",
          .block_k = "1",
          .workgroup_bytes = "0",
          .registers = "3",
          .reuse_m = "1",
          .reuse_n = "1"};
}

}  // namespace wgemm::kernels
