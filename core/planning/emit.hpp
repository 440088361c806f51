// A kernel's text for one variant of its operands and one dialect of WGSL.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "core/kernels/kernel.hpp"
#include "core/planning/variant.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::planning {

/// The label of the shader that emit_shader makes.
std::string shader_label(const kernels::Kernel& kernel, const Variant& variant, const DeviceProfile& profile);

/// The index of the plan's shader of that label; where it has none, of the one that `emit` makes.
template <typename Emit>
Result<std::uint32_t> find_or_add_shader(Plan& plan, const std::string& label, const Emit& emit) {
  const auto known = std::ranges::find(plan.shaders, label, &Shader::label);
  const auto index = static_cast<std::uint32_t>(known - plan.shaders.begin());
  if (known == plan.shaders.end()) {
    Result<Shader> made = emit();
    if (!made) return tl::unexpected(made.error());
    plan.shaders.push_back(std::move(*made));
  }
  return index;
}

Result<Shader> emit_shader(const kernels::Kernel& kernel, const kernels::Geometry& geometry,
                           const Variant& variant, const DeviceProfile& profile);

/// What a workgroup of the reduce kernel takes.
struct ReduceShape {
  std::uint32_t rows = 0;     ///< of C
  std::uint32_t columns = 0;  ///< of C
  std::uint32_t slices = 0;   ///< invocations that share the parts of an element
};

/// The one for that many parts of that many elements of C.
ReduceShape reduce_shape(std::uint64_t parts, std::uint64_t elements);

std::string reduce_label(const ReduceShape& shape, const Variant& variant);

/// The text that adds partial results and finishes them into C.
Result<Shader> emit_reduce(const ReduceShape& shape, const Variant& variant, const DeviceProfile& profile);

}  // namespace wgemm::planning
