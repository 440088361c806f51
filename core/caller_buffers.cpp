#include "core/caller_buffers.hpp"

#include <algorithm>

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

bool takes_prepared_b(const Plan& plan) {
  return std::ranges::any_of(plan.buffers, [](const PlanBuffer& buffer) {
    return buffer.role == BufferRole::b && !buffer.layout.empty();
  });
}

Result<void> check_given(const Problem& problem, const std::array<bool, kCallerBuffers>& given) {
  struct Optional {
    BufferRole role;
    bool wanted;
    std::string_view field;
  };
  const auto& [block, scale_type, zeros] = problem.quantization;
  const std::array<Optional, 4> optional{
      {{BufferRole::bias, problem.epilogue.bias != Bias::none, "epilogue.bias is none"},
       {BufferRole::residual, problem.epilogue.add_residual, "epilogue.add_residual is false"},
       {BufferRole::scales, block != 0, "quantization.block is 0"},
       {BufferRole::zeros, zeros && block != 0, "quantization.zeros is false"}}};
  for (const auto& [role, wanted, field] : optional) {
    if (wanted || !given.at(static_cast<std::size_t>(role))) continue;
    const std::string name(to_string(role));
    return fail(ErrorCode::invalid_argument, name,
                name + " is given, but the problem has none: its " + std::string(field));
  }
  return {};
}

}  // namespace wgemm
