#include "wgemm/device_profile.hpp"

#include <array>

namespace wgemm {

std::string_view to_string(AdapterType type) {
  constexpr std::array<std::string_view, 4> names{"discrete", "integrated", "software", "unknown"};
  return names.at(static_cast<std::size_t>(type));
}

std::string_view to_string(Dialect dialect) { return dialect == Dialect::dawn ? "dawn" : "naga"; }

std::string_view to_string(MatrixDialect dialect) {
  constexpr std::array<std::string_view, 4> names{"none", "majorness_template", "majorness_argument",
                                                  "emulated"};
  return names.at(static_cast<std::size_t>(dialect));
}

std::string describe(const MatrixConfig& config) {
  return std::string(to_string(config.component)) + " " + std::to_string(config.m) + "x" +
         std::to_string(config.n) + "x" + std::to_string(config.k) + " -> " +
         std::string(to_string(config.result));
}

namespace {

DeviceProfile lavapipe() {
  DeviceProfile profile;
  profile.name = "lavapipe";
  profile.vendor = "mesa";
  profile.architecture = "software";
  profile.backend = "vulkan";
  profile.type = AdapterType::software;
  profile.limits.max_buffer_size = 2147483647;
  profile.limits.max_compute_workgroup_storage_size = 32768;
  profile.limits.max_compute_invocations_per_workgroup = 1024;
  profile.limits.max_compute_workgroup_size_x = 1024;
  profile.limits.max_compute_workgroup_size_y = 1024;
  profile.limits.max_compute_workgroup_size_z = 1024;
  profile.shader_f16 = true;
  profile.subgroups = true;
  profile.timestamps = true;
  profile.subgroup_min_size = 8;
  profile.subgroup_max_size = 8;
  profile.subgroup_size = 8;
  return profile;
}

DeviceProfile swiftshader() {
  DeviceProfile profile;
  profile.name = "swiftshader";
  profile.vendor = "google";
  profile.architecture = "swiftshader";
  profile.backend = "vulkan";
  profile.type = AdapterType::software;
  profile.limits.max_compute_workgroup_storage_size = 32768;
  profile.timestamps = true;
  profile.subgroups = true;
  profile.subgroup_min_size = 4;
  profile.subgroup_max_size = 4;
  profile.subgroup_size = 4;
  return profile;
}

DeviceProfile h200() {
  DeviceProfile profile;
  profile.name = "h200";
  profile.vendor = "nvidia";
  profile.architecture = "hopper";
  profile.backend = "vulkan";
  profile.vendor_id = 0x10de;
  profile.type = AdapterType::discrete;
  profile.limits.max_storage_buffer_binding_size = 4294967292;
  profile.limits.max_buffer_size = 4294967292;
  profile.limits.max_compute_workgroup_storage_size = 49152;
  profile.limits.max_compute_invocations_per_workgroup = 1024;
  profile.limits.max_compute_workgroup_size_x = 1024;
  profile.limits.max_compute_workgroup_size_y = 1024;
  profile.shader_f16 = true;
  profile.subgroups = true;
  profile.timestamps = true;
  profile.subgroup_min_size = 32;
  profile.subgroup_max_size = 32;
  profile.subgroup_size = 32;
  profile.matrix_dialect = MatrixDialect::majorness_template;
  profile.matrix_configs = {{DataType::f16, DataType::f32, 16, 16, 16},
                            {DataType::f16, DataType::f32, 16, 8, 16},
                            {DataType::f16, DataType::f32, 16, 8, 8}};
  return profile;
}

/// A device of generous limits without matrix units, on which subgroup-matrix kernels run lane by lane.
DeviceProfile emulated() {
  auto profile = lavapipe();
  profile.name = "emulated";
  profile.matrix_dialect = MatrixDialect::emulated;
  return profile;
}

}  // namespace

std::span<const DeviceProfile> builtin_profiles() {
  static const std::array<DeviceProfile, 5> profiles{DeviceProfile{}, lavapipe(), swiftshader(), h200(),
                                                     emulated()};
  return profiles;
}

Result<DeviceProfile> find_profile(std::string_view name) {
  std::string known;
  for (const auto& profile : builtin_profiles()) {
    if (profile.name == name) return profile;
    known += (known.empty() ? "" : ", ") + profile.name;
  }
  return fail(ErrorCode::not_found, "profile",
              "there is no built-in profile '" + std::string(name) + "'; there are " + known);
}

DeviceProfile with_minimum_limits(DeviceProfile profile) {
  profile.limits = Limits{};
  profile.shader_f16 = false;
  profile.subgroups = false;
  profile.matrix_dialect = MatrixDialect::none;
  profile.matrix_configs.clear();
  profile.denied_matrix_configs.clear();
  return profile;
}

}  // namespace wgemm
