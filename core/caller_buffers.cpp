#include "core/caller_buffers.hpp"

namespace wgemm {

std::array<std::uint64_t, kCallerBuffers> caller_bytes(const Problem& problem) {
  return {buffer_bytes(problem, Matrix::a),
          buffer_bytes(problem, Matrix::b),
          buffer_bytes(problem, Matrix::c),
          size_of(problem.epilogue.bias_type, bias_length(problem)),
          buffer_bytes(problem, Matrix::residual),
          scales_bytes(problem),
          zeros_bytes(problem)};
}

}  // namespace wgemm
