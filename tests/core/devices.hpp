// Devices and problems that several tests share.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/kernels/kernel.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::testing {

inline constexpr DataType kTypes[] = {DataType::f32, DataType::f16};
inline constexpr Order kOrders[] = {Order::row_major, Order::col_major};
inline constexpr MatrixDialect kMatrixDialects[] = {
    MatrixDialect::majorness_template, MatrixDialect::majorness_argument, MatrixDialect::emulated};

/// Types of operands that a family's texts are tried with.
inline std::vector<DataType> types_of(const kernels::Family& family) {
  if (family.access == kernels::Access::words_along_k) return {DataType::i8, DataType::u8};
  return {DataType::f32, DataType::f16};
}

/// A device on which the kernel fails on nothing but its own constraints.
inline DeviceProfile generous_device(const kernels::Kernel& kernel, MatrixDialect dialect) {
  const auto value = [&](std::string_view name) {
    return static_cast<std::uint32_t>(kernels::value_of(kernel, name));
  };
  DeviceProfile profile;
  profile.name = "generous";
  profile.limits.max_compute_workgroup_storage_size = 1U << 20U;
  profile.limits.max_compute_invocations_per_workgroup = 1U << 20U;
  profile.limits.max_compute_workgroup_size_x = 1U << 20U;
  profile.limits.max_compute_workgroup_size_y = 1U << 20U;
  profile.limits.max_storage_buffer_binding_size = 1ULL << 40U;
  profile.limits.max_buffer_size = 1ULL << 40U;
  profile.shader_f16 = true;
  profile.subgroups = true;
  profile.matrix_dialect = dialect;
  profile.subgroup_size = value("LANES");
  for (const auto type : kTypes) {
    profile.matrix_configs.push_back({type, DataType::f32, value("MM"), value("MN"), value("MK")});
  }
  return profile;
}

/// m x n x k of f32, every matrix tight and row-major.
inline Problem problem(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  Problem result;
  result.m = m;
  result.n = n;
  result.k = k;
  return result;
}

}  // namespace wgemm::testing
