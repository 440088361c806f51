#include "verify/guards.hpp"

#include <algorithm>

#include "verify/host_matrix.hpp"

namespace wgemm::verify {

void extend_over_guards(Plan& plan, const Limits& limits) {
  for (auto& buffer : plan.buffers) {
    if (buffer.role != BufferRole::scratch && buffer.bytes > 0)
      buffer.bytes = with_margin(buffer.bytes, largest_operand(limits));
  }
}

}  // namespace wgemm::verify
