// The buffers that a caller gives for a product, by BufferRole.
#pragma once

#include <array>
#include <cstdint>

#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {

/// Bytes that each of them must have at least; 0 where the problem has none.
std::array<std::uint64_t, kCallerBuffers> caller_bytes(const Problem& problem);

/// Whether the caller gives B prepared (PlanBuffer::layout): a quantised one then has its scales in it.
bool takes_prepared_b(const Plan& plan);

/// Refuses an operand that the problem does not have (a bias where epilogue.bias is none): it would be left
/// out of the result without a word. `given` says which of them the caller hands over. Errors:
/// invalid_argument, naming the operand.
Result<void> check_given(const Problem& problem, const std::array<bool, kCallerBuffers>& given);

}  // namespace wgemm
