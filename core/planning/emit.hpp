// A kernel's text for one variant of its operands and one dialect of WGSL.
#pragma once

#include <cstdint>

#include "core/kernels/kernel.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::planning {

/// All that changes a kernel's text besides its parameters. Sizes are no part of it: they are uniforms.
struct Variant {
  bool a_k_contiguous = true;   ///< A is row-major
  bool b_k_contiguous = false;  ///< B is column-major
  DataType type = DataType::f32;
  DataType c_type = DataType::f32;
  std::uint32_t a_width = 1;  ///< elements of one access
  std::uint32_t b_width = 1;
  std::uint32_t c_width = 1;
  bool bounds = true;  ///< some tile reaches beyond a matrix
};

Result<Shader> emit_shader(const kernels::Kernel& kernel, const kernels::Geometry& geometry,
                           const Variant& variant, const DeviceProfile& profile);

}  // namespace wgemm::planning
