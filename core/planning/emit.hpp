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

std::string reduce_label(const Variant& variant);

/// The text that adds `parts` partial results and finishes them into C.
Result<Shader> emit_reduce(const Variant& variant, const DeviceProfile& profile);

/// Rows and columns of C that a workgroup of the reduce kernel takes.
constexpr std::uint32_t kReduceRows = 4;
constexpr std::uint32_t kReduceColumns = 64;

}  // namespace wgemm::planning
