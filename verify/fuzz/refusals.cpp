#include "verify/fuzz/refusals.hpp"

#include "core/kernels/kernel.hpp"

namespace wgemm::verify::fuzz {
namespace {

bool uses_f16(const Problem& problem) {
  const auto& epilogue = problem.epilogue;
  return problem.a.type == DataType::f16 || problem.c.type == DataType::f16 ||
         (problem.quantization.block != 0 && problem.quantization.scale_type == DataType::f16) ||
         (epilogue.bias != Bias::none && epilogue.bias_type == DataType::f16) ||
         (epilogue.add_residual && epilogue.residual.type == DataType::f16);
}

}  // namespace

bool is_right_refusal(const Case& each, const DeviceProfile& profile, const Error& error) {
  if (error.code != ErrorCode::unsupported) return false;
  const auto& problem = each.problem;
  const bool half_sums = problem.accumulate == Accumulate::f16;
  if (error.argument == "maxStorageBufferBindingSize") return each.binding_bytes != 0;
  const auto kernel = kernels::parse(each.options.kernel);
  const bool matrix_units = kernel && kernel->family->matrix_units;
  if (error.argument == "shader-f16") {
    return !profile.shader_f16 && (half_sums || (matrix_units && uses_f16(problem)));
  }
  if (matrix_units) {
    if (error.argument == "kernel") {
      return half_sums || problem.quantization.block != 0 || !is_floating(problem.a.type);
    }
    // Units take operands of the types that the device reports, and subgroups of one size.
    return error.argument == "matrix configuration" || error.argument == "LANES" ||
           error.argument == "workgroup_size.x";
  }
  const bool bytes_only = kernel && kernel->family->access == kernels::Access::words_along_k;
  return error.argument == "kernel" && bytes_only && is_floating(problem.a.type);
}

}  // namespace wgemm::verify::fuzz
