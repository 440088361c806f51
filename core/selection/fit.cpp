// What of a problem a kernel or a device cannot do.
#include <string>

#include "core/selection/choice.hpp"

namespace wgemm::selection {

Result<kernels::Geometry> fit(const kernels::Kernel& kernel, const Problem& problem,
                              const DeviceProfile& profile) {
  auto geometry = kernels::check(kernel, profile, problem.a.type);
  if (!geometry) return geometry;
  const bool half_sums = problem.accumulate == Accumulate::f16;
  if (half_sums && !profile.shader_f16) {
    return fail(ErrorCode::unsupported, "shader-f16",
                "sums in f16 need the feature shader-f16, which '" + profile.name + "' does not offer");
  }
  if (!kernel.family->matrix_units) return geometry;
  const auto& epilogue = problem.epilogue;
  const bool half_output = problem.c.type == DataType::f16 ||
                           (epilogue.bias != Bias::none && epilogue.bias_type == DataType::f16) ||
                           (epilogue.add_residual && epilogue.residual.type == DataType::f16);
  if (half_output && !profile.shader_f16) {
    return fail(ErrorCode::unsupported, "shader-f16",
                kernels::name(kernel) + " needs the feature shader-f16 for a C, bias or residual of f16; '" +
                    profile.name + "' does not offer it");
  }
  if (half_sums || problem.quantization.block != 0) {
    return fail(ErrorCode::unsupported, "kernel",
                kernels::name(kernel) +
                    " sums in f32 and reads no quantised operands; a kernel without matrix " + "units does");
  }
  return geometry;
}

}  // namespace wgemm::selection
