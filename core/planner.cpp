// From a problem to a plan: choose a kernel, place its operands, emit its text, cover the grid.
#include "wgemm/planner.hpp"

#include <string>
#include <utility>

#include "core/kernels/kernel.hpp"
#include "core/planning/builder.hpp"
#include "core/selection/choice.hpp"

namespace wgemm {
namespace {

/// What of a problem's types the kernel or the device cannot do.
Result<void> check_types(const Problem& problem, const kernels::Kernel& kernel,
                         const DeviceProfile& profile) {
  const bool half_sums = problem.accumulate == Accumulate::f16;
  if (half_sums && !profile.shader_f16) {
    return fail(ErrorCode::unsupported, "shader-f16",
                "sums in f16 need the feature shader-f16, which '" + profile.name + "' does not offer");
  }
  if (!kernel.family->matrix_units) return {};
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
  return {};
}

Result<void> check_options(const PlanOptions& options) {
  if (options.edges > EdgePolicy::padded) {
    return fail(
        ErrorCode::invalid_argument, "edges",
        "edges = " + std::to_string(static_cast<unsigned>(options.edges)) + " is no value of EdgePolicy");
  }
  // Written so that NaN fails too.
  if (!(options.max_dispatch_flops >= 0)) {
    return fail(ErrorCode::invalid_argument, "max_dispatch_flops",
                "max_dispatch_flops = " + std::to_string(options.max_dispatch_flops) +
                    "; it is a number of operations, or 0 for any number");
  }
  return {};
}

}  // namespace

Result<Plan> make_plan(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options) {
  if (auto done = validate(problem); !done) return tl::unexpected(done.error());
  if (auto done = check_options(options); !done) return tl::unexpected(done.error());
  auto kernel = options.kernel.empty() ? planning::choose(problem, profile) : kernels::parse(options.kernel);
  if (!kernel) return tl::unexpected(kernel.error());
  const auto geometry = kernels::check(*kernel, profile, problem.a.type);
  if (!geometry) return tl::unexpected(geometry.error());
  if (auto done = check_types(problem, *kernel, profile); !done) return tl::unexpected(done.error());
  const auto split_k =
      options.split_k != 0 ? options.split_k : planning::choose_split(problem, profile, *kernel, *geometry);
  const planning::Placement placement{
      *kernel, *geometry, options.edges, split_k, options.split_k != 0, options.dequantise};
  auto plan = planning::build_plan(problem, profile, placement, options.scratch_cap);
  if (plan && options.max_dispatch_flops > 0) split_dispatches(*plan, options.max_dispatch_flops);
  return plan;
}

std::vector<KernelInfo> list_kernels() {
  std::vector<KernelInfo> infos;
  for (const auto& family : kernels::families()) {
    KernelInfo info{family.name, family.summary, {}};
    for (const auto& parameter : family.parameters) {
      info.parameters.push_back({parameter.name, parameter.meaning, parameter.standard, parameter.values});
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

Result<std::vector<std::string>> list_configurations(std::string_view family, const DeviceProfile& profile,
                                                     DataType type) {
  const auto standard = kernels::parse(family);
  if (!standard) return tl::unexpected(standard.error());
  std::vector<std::string> names;
  for (const auto& kernel : kernels::enumerate(*standard->family)) {
    if (kernels::check(kernel, profile, type)) names.push_back(kernels::name(kernel));
  }
  return names;
}

Result<std::string> canonical_kernel_name(std::string_view name) {
  return kernels::parse(name).map(kernels::name);
}

}  // namespace wgemm
