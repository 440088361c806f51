#include "core/kernels/registry.hpp"

#include <algorithm>

namespace wgemm::kernels {

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      naive(),         workgroup(), coalesced(), tiled(),           tiled_transposed(),
      thread_tile(),   unrolled(),  vec4(),      subgroup_matrix(), matrix_tile(),
      register_tile(), skinny_n(),  skinny_k(),  packed_dot()};
  return all;
}

const Family* find_family(std::string_view name) {
  const auto& all = families();
  const auto found = std::ranges::find_if(all, [&](const Family& family) { return family.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace wgemm::kernels
