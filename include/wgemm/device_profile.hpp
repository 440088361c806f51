// What a planner must know of a device. A profile is data: of the adapter at hand, of a named device, or of a
// file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {

enum class AdapterType : std::uint8_t { discrete, integrated, software, unknown };

/// The two WGSL compilers accept different texts (`enable subgroups;` is required by one and refused by the
/// other).
enum class Dialect : std::uint8_t { dawn, naga };

/// How subgroup-matrix builtins are spelled: not at all, `load<T, row_major>(…)` since mid-2026, `load<T>(…,
/// majorness)` before that, or emulated lane by lane, for tests on devices without matrix units.
enum class MatrixDialect : std::uint8_t { none, majorness_template, majorness_argument, emulated };

/// Limits of WebGPU that planning depends on, in WebGPU's units; the defaults are the specification's minimum
/// limits.
struct Limits {
  std::uint64_t max_storage_buffer_binding_size = 134217728;  ///< bytes
  std::uint64_t max_buffer_size = 268435456;                  ///< bytes
  std::uint32_t max_compute_workgroup_storage_size = 16384;   ///< bytes
  std::uint32_t max_compute_invocations_per_workgroup = 256;
  std::uint32_t max_compute_workgroup_size_x = 256;
  std::uint32_t max_compute_workgroup_size_y = 256;
  std::uint32_t max_compute_workgroup_size_z = 64;
  std::uint32_t max_compute_workgroups_per_dimension = 65535;
  std::uint32_t max_storage_buffers_per_shader_stage = 8;
  std::uint32_t min_storage_buffer_offset_alignment = 256;  ///< bytes
  std::uint32_t min_uniform_buffer_offset_alignment = 256;  ///< bytes
};

/// One shape that the matrix units multiply: an m x k by k x n product of `component` into m x n of `result`.
struct MatrixConfig {
  DataType component = DataType::f16;
  DataType result = DataType::f32;
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  bool operator==(const MatrixConfig&) const = default;
};

/// A shape that a device reports, and that gives wrong numbers on it: what shows it.
struct DeniedMatrixConfig {
  MatrixConfig config;
  std::string reason;
  bool operator==(const DeniedMatrixConfig&) const = default;
};

struct DeviceProfile {
  std::string name = "minimum";  ///< of the device, as its driver reports it, or of the built-in profile
  std::string vendor;
  std::string architecture;
  std::string driver;   ///< description of the driver, with its version where known
  std::string backend;  ///< "vulkan", "metal", "d3d12", "gl", "null"
  std::string library;  ///< "dawn", "wgpu"
  std::string
      library_version;  ///< as far as the library tells; else "unknown", or empty of a built-in profile
  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;
  AdapterType type = AdapterType::unknown;
  Dialect dialect = Dialect::dawn;
  Limits limits;

  bool shader_f16 = false;
  bool subgroups = false;
  bool timestamps = false;
  /// Shaders that are proven to stay in bounds run without the library's checks: large blocks pay for checks
  /// with registers, so other kernels are the fastest.
  bool unchecked_shaders = false;
  std::uint32_t subgroup_min_size = 0;  ///< as reported; 0 where the library does not say
  std::uint32_t subgroup_max_size = 0;
  std::uint32_t subgroup_size = 0;  ///< as a compute shader saw it; 0 where it was not asked
  MatrixDialect matrix_dialect = MatrixDialect::none;
  std::vector<MatrixConfig> matrix_configs;
  std::vector<DeniedMatrixConfig> denied_matrix_configs;  ///< not among matrix_configs
};

std::string_view to_string(AdapterType type);
std::string_view to_string(Dialect dialect);
std::string_view to_string(MatrixDialect dialect);

/// "f16 16x8x16 -> f32"
std::string describe(const MatrixConfig& config);

/// Profiles that plans can be made for without a GPU: "minimum", "lavapipe", "swiftshader", "h200",
/// "emulated".
std::span<const DeviceProfile> builtin_profiles();

/// The built-in profile of that name; the error lists the names there are.
Result<DeviceProfile> find_profile(std::string_view name);

/// The same device held to the specification's minimum limits and without optional features (`--limits
/// minimum`).
DeviceProfile with_minimum_limits(DeviceProfile profile);

std::string to_json(const DeviceProfile& profile);
Result<DeviceProfile> profile_from_json(std::string_view text);

}  // namespace wgemm
