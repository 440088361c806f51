// From a problem to a plan: choose a kernel, place its operands, emit its text, cover the grid.
#include "wgemm/planner.hpp"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/kernels/kernel.hpp"
#include "core/planning/builder.hpp"
#include "core/selection/choice.hpp"

namespace wgemm {
namespace {

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

constexpr std::uint32_t kMostAlignment = 65536;  ///< bytes; WebGPU's devices ask for 256 at most

/// A profile may be of a file: no plan is made for limits that no device has.
Result<void> check_limits(const Limits& limits) {
  const std::pair<std::string_view, std::uint64_t> all[] = {
      {"max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size},
      {"max_buffer_size", limits.max_buffer_size},
      {"max_compute_invocations_per_workgroup", limits.max_compute_invocations_per_workgroup},
      {"max_compute_workgroup_size_x", limits.max_compute_workgroup_size_x},
      {"max_compute_workgroup_size_y", limits.max_compute_workgroup_size_y},
      {"max_compute_workgroup_size_z", limits.max_compute_workgroup_size_z},
      {"max_compute_workgroups_per_dimension", limits.max_compute_workgroups_per_dimension},
      {"max_storage_buffers_per_shader_stage", limits.max_storage_buffers_per_shader_stage}};
  for (const auto& [name, value] : all) {
    if (value != 0) continue;
    const auto argument = "limits." + std::string(name);
    return fail(ErrorCode::invalid_argument, argument, argument + " = 0; every device has more");
  }
  for (const auto& [name, value] :
       {std::pair("min_storage_buffer_offset_alignment", limits.min_storage_buffer_offset_alignment),
        std::pair("min_uniform_buffer_offset_alignment", limits.min_uniform_buffer_offset_alignment)}) {
    if (std::has_single_bit(value) && value <= kMostAlignment) continue;
    const auto argument = "limits." + std::string(name);
    return fail(ErrorCode::invalid_argument, argument,
                argument + " = " + std::to_string(value) + "; it is a power of two of at most " +
                    std::to_string(kMostAlignment));
  }
  return {};
}

/// Whether copies that are only faster may be made. Weights may have been prepared, for any number of rows.
bool can_align(const Problem& problem, const PlanOptions& options) {
  return options.scratch_cap == 0 && problem.quantization.block == 0;
}

}  // namespace

Result<Plan> make_plan(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options,
                       const TuningData* tuning) {
  if (auto done = validate(problem); !done) return tl::unexpected(done.error());
  if (auto done = check_options(options); !done) return tl::unexpected(done.error());
  if (auto done = check_limits(profile.limits); !done) return tl::unexpected(done.error());
  const auto choices = selection::choose(problem, profile, options, tuning);
  if (!choices) return tl::unexpected(choices.error());
  std::optional<Error> first;
  for (const auto& [kernel, geometry, split_k, seconds] : *choices) {
    const planning::Placement placement{kernel,
                                        geometry,
                                        options.edges,
                                        split_k,
                                        options.split_k != 0,
                                        can_align(problem, options),
                                        options.dequantise};
    auto plan = planning::build_plan(problem, profile, placement, options.scratch_cap);
    if (!plan) {
      if (!first) first = plan.error();
      continue;
    }
    if (options.max_dispatch_flops > 0) split_dispatches(*plan, options.max_dispatch_flops);
    return plan;
  }
  return tl::unexpected(
      first.value_or(Error{ErrorCode::internal, "kernel", "no kernel was found for " + describe(problem)}));
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
  kernels::for_each_configuration(*standard->family, [&](const kernels::Kernel& kernel) {
    if (kernels::check(kernel, profile, type)) names.push_back(kernels::name(kernel));
  });
  return names;
}

Result<std::string> canonical_kernel_name(std::string_view name) {
  return kernels::parse(name).map(kernels::name);
}

}  // namespace wgemm
