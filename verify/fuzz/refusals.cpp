#include "verify/fuzz/refusals.hpp"

#include <algorithm>

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
  if (error.argument == "problem") return true;  // operands that are not implemented
  if (error.argument == "shader-f16") return !profile.shader_f16 && uses_f16(each.problem);
  if (error.argument == "maxStorageBufferBindingSize") return each.binding_bytes != 0;
  const auto kernel = kernels::parse(each.options.kernel);
  if (kernel && kernel->family->matrix_units) {
    // Units take operands of the types that the device reports, and subgroups of one size.
    return error.argument == "matrix configuration" || error.argument == "LANES" ||
           error.argument == "workgroup_size.x";
  }
  return false;
}

}  // namespace wgemm::verify::fuzz
