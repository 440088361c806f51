#include "wgemm/plan.hpp"

namespace wgemm {

std::uint64_t bound_bytes(const Plan& plan, const Binding& binding) {
  return binding.bytes != 0 ? binding.bytes : plan.buffers[binding.buffer].bytes - binding.offset;
}

}  // namespace wgemm
