// The one validity rule: what a kernel's parameters, its family and the device ask of each other.
#include <algorithm>
#include <string>

#include "core/kernels/kernel.hpp"
#include "core/text/expression.hpp"

namespace wgemm::kernels {
namespace {

tl::unexpected<Error> does_not_fit(const Kernel& kernel, std::string_view limit, std::uint64_t needed,
                                   std::uint64_t available) {
  return fail(ErrorCode::unsupported, std::string(limit),
              name(kernel) + " needs " + std::string(limit) + " >= " + std::to_string(needed) +
                  "; the device has " + std::to_string(available));
}

/// What the family can read. Elsewhere than in matrix units every type is a number once it is loaded.
Result<void> check_operands(const Kernel& kernel, const DeviceProfile& profile, DataType stored) {
  const bool bytes = stored == DataType::i8 || stored == DataType::u8;
  if (kernel.family->access == Access::words_along_k && !bytes) {
    return fail(ErrorCode::unsupported, "kernel",
                name(kernel) + " multiplies operands of i8 and u8; A is " + std::string(to_string(stored)));
  }
  if (!kernel.family->matrix_units) return {};
  if (!is_floating(stored)) {
    return fail(ErrorCode::unsupported, "kernel",
                name(kernel) + " multiplies operands of f32 or f16; A is " + std::string(to_string(stored)));
  }
  if (stored == DataType::f16 && !profile.shader_f16) {
    return fail(ErrorCode::unsupported, "shader-f16",
                name(kernel) + " needs the feature shader-f16 for operands of f16; '" + profile.name +
                    "' does not offer it");
  }
  return {};
}

/// Matrix units: the device must report the shape, and its subgroups must have the size that the layout
/// assumes.
Result<void> check_matrix_units(const Kernel& kernel, const Geometry& geometry, const DeviceProfile& profile,
                                DataType stored) {
  const auto size = static_cast<std::uint32_t>(value_of(kernel, "LANES"));
  const bool emulated = profile.matrix_dialect == MatrixDialect::emulated;
  // naga has cooperative matrices of its own, spelled otherwise.
  if (profile.matrix_dialect == MatrixDialect::none || (profile.dialect == Dialect::naga && !emulated)) {
    return fail(ErrorCode::unsupported, "subgroup_matrix",
                name(kernel) + " needs the feature chromium-experimental-subgroup-matrix, which '" +
                    profile.name + "' does not offer");
  }
  if (emulated) return {};
  const MatrixConfig wanted{stored, DataType::f32, static_cast<std::uint32_t>(value_of(kernel, "MM")),
                            static_cast<std::uint32_t>(value_of(kernel, "MN")),
                            static_cast<std::uint32_t>(value_of(kernel, "MK"))};
  const auto& denied = profile.denied_matrix_configs;
  if (const auto found = std::ranges::find(denied, wanted, &DeniedMatrixConfig::config);
      found != denied.end()) {
    return fail(ErrorCode::unsupported, "matrix configuration",
                name(kernel) + " needs the matrix configuration " + describe(wanted) +
                    ", which is denied on '" + profile.name + "': " + found->reason);
  }
  const auto& configs = profile.matrix_configs;
  if (std::ranges::find(configs, wanted) == configs.end()) {
    std::string offered;
    for (const auto& config : configs) offered += (offered.empty() ? "" : ", ") + describe(config);
    return fail(ErrorCode::unsupported, "matrix configuration",
                name(kernel) + " needs the matrix configuration " + describe(wanted) +
                    "; the device offers " + (offered.empty() ? "none" : offered));
  }
  if (profile.subgroup_size != size) {
    return fail(ErrorCode::unsupported, "LANES",
                name(kernel) + " is written for subgroups of " + std::to_string(size) +
                    " lanes; the device has " + std::to_string(profile.subgroup_size));
  }
  if (profile.subgroup_max_size != 0 && geometry.workgroup_x % profile.subgroup_max_size != 0) {
    return fail(ErrorCode::unsupported, "workgroup_size.x",
                name(kernel) + " has " + std::to_string(geometry.workgroup_x) +
                    " invocations along x, which is no multiple of the largest subgroup (" +
                    std::to_string(profile.subgroup_max_size) + ")");
  }
  return {};
}

}  // namespace

Result<Geometry> check(const Kernel& kernel, const DeviceProfile& profile, DataType stored) {
  const auto names = environment(kernel);
  for (const auto& constraint : kernel.family->constraints) {
    const auto holds = text::evaluate(constraint.expression, names);
    if (!holds) return tl::unexpected(holds.error());
    if (*holds == 0) {
      return fail(ErrorCode::invalid_argument, "kernel",
                  name(kernel) + " is not valid: " + std::string(constraint.reason));
    }
  }
  auto figures = geometry(kernel, stored);
  if (!figures) return figures;
  const auto& limits = profile.limits;
  const auto invocations = figures->workgroup_x * figures->workgroup_y;
  if (invocations > limits.max_compute_invocations_per_workgroup) {
    return does_not_fit(kernel, "maxComputeInvocationsPerWorkgroup", invocations,
                        limits.max_compute_invocations_per_workgroup);
  }
  if (figures->workgroup_x > limits.max_compute_workgroup_size_x) {
    return does_not_fit(kernel, "maxComputeWorkgroupSizeX", figures->workgroup_x,
                        limits.max_compute_workgroup_size_x);
  }
  if (figures->workgroup_y > limits.max_compute_workgroup_size_y) {
    return does_not_fit(kernel, "maxComputeWorkgroupSizeY", figures->workgroup_y,
                        limits.max_compute_workgroup_size_y);
  }
  if (figures->workgroup_bytes > limits.max_compute_workgroup_storage_size) {
    return does_not_fit(kernel, "maxComputeWorkgroupStorageSize", figures->workgroup_bytes,
                        limits.max_compute_workgroup_storage_size);
  }
  if (auto done = check_operands(kernel, profile, stored); !done) return tl::unexpected(done.error());
  if (kernel.family->matrix_units) {
    if (auto done = check_matrix_units(kernel, *figures, profile, stored); !done)
      return tl::unexpected(done.error());
  }
  return figures;
}

}  // namespace wgemm::kernels
