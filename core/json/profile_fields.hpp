// Which fields a device profile has as JSON.
#pragma once

#include <cstdint>

#include "core/json/archive.hpp"
#include "wgemm/device_profile.hpp"

namespace wgemm::json {

template <typename Archive, As<Limits> T>
void fields(Archive& archive, T& limits) {
  archive("max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size);
  archive("max_buffer_size", limits.max_buffer_size);
  archive("max_compute_workgroup_storage_size", limits.max_compute_workgroup_storage_size);
  archive("max_compute_invocations_per_workgroup", limits.max_compute_invocations_per_workgroup);
  archive("max_compute_workgroup_size_x", limits.max_compute_workgroup_size_x);
  archive("max_compute_workgroup_size_y", limits.max_compute_workgroup_size_y);
  archive("max_compute_workgroup_size_z", limits.max_compute_workgroup_size_z);
  archive("max_compute_workgroups_per_dimension", limits.max_compute_workgroups_per_dimension);
  archive("max_storage_buffers_per_shader_stage", limits.max_storage_buffers_per_shader_stage);
  archive("min_storage_buffer_offset_alignment", limits.min_storage_buffer_offset_alignment);
  archive("min_uniform_buffer_offset_alignment", limits.min_uniform_buffer_offset_alignment);
}

template <typename Archive, As<MatrixConfig> T>
void fields(Archive& archive, T& config) {
  archive("component", config.component);
  archive("result", config.result);
  archive("m", config.m);
  archive("n", config.n);
  archive("k", config.k);
}

template <typename Archive, As<DeniedMatrixConfig> T>
void fields(Archive& archive, T& denied) {
  archive("config", denied.config);
  archive("reason", denied.reason);
}

template <typename Archive, As<DeviceProfile> T>
void fields(Archive& archive, T& profile) {
  archive("name", profile.name);
  archive("vendor", profile.vendor);
  archive("architecture", profile.architecture);
  archive("driver", profile.driver);
  archive("backend", profile.backend);
  archive("library", profile.library);
  archive("library_version", profile.library_version);
  archive("vendor_id", profile.vendor_id);
  archive("device_id", profile.device_id);
  archive("type", profile.type);
  archive("dialect", profile.dialect);
  archive("limits", profile.limits);
  archive("shader_f16", profile.shader_f16);
  archive("subgroups", profile.subgroups);
  archive("timestamps", profile.timestamps);
  archive("unchecked_shaders", profile.unchecked_shaders);
  archive("subgroup_min_size", profile.subgroup_min_size);
  archive("subgroup_max_size", profile.subgroup_max_size);
  archive("subgroup_size", profile.subgroup_size);
  archive("matrix_dialect", profile.matrix_dialect);
  archive("matrix_configs", profile.matrix_configs);
  archive("denied_matrix_configs", profile.denied_matrix_configs);
}

}  // namespace wgemm::json
