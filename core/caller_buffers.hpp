// The buffers that a caller gives for a product, by BufferRole.
#pragma once

#include <array>
#include <cstdint>

#include "wgemm/plan.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {

/// Bytes that each of them must have at least; 0 where the problem has none.
std::array<std::uint64_t, kCallerBuffers> caller_bytes(const Problem& problem);

}  // namespace wgemm
