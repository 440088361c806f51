#include "verify/guards.hpp"

#include <algorithm>

#include "verify/host_problem.hpp"

namespace wgemm::verify {

void extend_over_guards(Plan& plan, const Limits& limits) {
  for (auto& buffer : plan.buffers) {
    const bool of_the_caller = static_cast<std::size_t>(buffer.role) < kCallerBuffers;
    if (of_the_caller && buffer.bytes > 0) buffer.bytes = with_margin(buffer.bytes, largest_operand(limits));
  }
}

}  // namespace wgemm::verify
