#include "core/kernels/kernel.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "core/kernels/rungs.hpp"
#include "core/text/expression.hpp"

namespace wgemm::kernels {
namespace {

std::string known_families() {
  std::string names;
  for (const auto& family : families()) names += (names.empty() ? "" : ", ") + std::string(family.name);
  return names;
}

std::string listed(const std::vector<std::int64_t>& values) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

/// Sets one parameter from "TILE16".
Result<void> set_parameter(Kernel& kernel, std::string_view text, std::vector<bool>& given) {
  const auto digits = text.find_first_of("0123456789");
  const auto key = text.substr(0, digits);
  const auto& parameters = kernel.family->parameters;
  const auto parameter =
      std::ranges::find_if(parameters, [&](const Parameter& candidate) { return candidate.name == key; });
  if (parameter == parameters.end()) {
    std::string known;
    for (const auto& each : parameters) known += (known.empty() ? "" : ", ") + std::string(each.name);
    return fail(ErrorCode::invalid_argument, std::string(key),
                "kernel '" + std::string(kernel.family->name) + "' has no parameter '" + std::string(key) +
                    "'; it has " + (known.empty() ? "none" : known));
  }
  std::int64_t value = 0;
  const auto number = digits == std::string_view::npos ? std::string_view{} : text.substr(digits);
  const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool whole = status == std::errc() && end == number.data() + number.size();
  if (!whole || std::ranges::find(parameter->values, value) == parameter->values.end()) {
    return fail(ErrorCode::invalid_argument, std::string(key),
                std::string(key) + " = '" + std::string(number) + "' of kernel '" +
                    std::string(kernel.family->name) + "' is not one of " + listed(parameter->values));
  }
  const auto index = static_cast<std::size_t>(parameter - parameters.begin());
  if (given[index]) {
    return fail(ErrorCode::invalid_argument, std::string(key),
                "kernel '" + std::string(kernel.family->name) + "' is given " + std::string(key) + " twice");
  }
  given[index] = true;
  kernel.values[index] = value;
  return {};
}

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

std::int64_t value_of(const Kernel& kernel, std::string_view parameter) {
  const auto& parameters = kernel.family->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == parameter) return kernel.values[i];
  }
  return 0;
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

std::string name(const Kernel& kernel) {
  std::string text(kernel.family->name);
  for (std::size_t i = 0; i < kernel.values.size(); ++i) {
    text += "_" + std::string(kernel.family->parameters[i].name) + std::to_string(kernel.values[i]);
  }
  return text;
}

Result<Kernel> parse(std::string_view name) {
  const auto family_end = name.find('_');
  const auto base = name.substr(0, family_end);
  Kernel kernel;
  if (const auto* family = find_family(base); family != nullptr) {
    kernel.family = family;
    for (const auto& parameter : family->parameters) kernel.values.push_back(parameter.standard);
  } else if (const auto* rung = find_rung(base); rung != nullptr) {
    auto named = parse(rung->kernel);
    if (!named) return named;
    kernel = std::move(*named);
  } else {
    return fail(ErrorCode::not_found, "kernel",
                "there is no kernel '" + std::string(base) + "'; there are " + known_families());
  }
  std::vector<bool> given(kernel.values.size());
  auto rest = family_end == std::string_view::npos ? std::string_view{} : name.substr(family_end + 1);
  while (!rest.empty()) {
    const auto end = rest.find('_');
    if (auto done = set_parameter(kernel, rest.substr(0, end), given); !done)
      return tl::unexpected(done.error());
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  return kernel;
}

text::Environment environment(const Kernel& kernel) {
  text::Environment result;
  for (std::size_t i = 0; i < kernel.values.size(); ++i) {
    result.set(kernel.family->parameters[i].name, kernel.values[i]);
  }
  return result;
}

Result<Geometry> geometry(const Kernel& kernel, DataType stored) {
  auto names = environment(kernel);
  names.set("STORED", static_cast<std::int64_t>(size_of(stored)));
  Geometry result;
  const auto& family = *kernel.family;
  const std::array<std::pair<std::string_view, std::uint32_t*>, 9> figures{
      {{family.workgroup_x, &result.workgroup_x},
       {family.workgroup_y, &result.workgroup_y},
       {family.block_m, &result.block_m},
       {family.block_n, &result.block_n},
       {family.block_k, &result.block_k},
       {family.workgroup_bytes, &result.workgroup_bytes},
       {family.registers, &result.registers},
       {family.reuse_m, &result.reuse_m},
       {family.reuse_n, &result.reuse_n}}};
  for (const auto& [expression, target] : figures) {
    const auto value = text::evaluate(expression, names);
    if (!value) return tl::unexpected(value.error());
    *target = static_cast<std::uint32_t>(*value);
  }
  return result;
}

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

std::vector<Kernel> enumerate(const Family& family) {
  std::vector<Kernel> all{{&family, {}}};
  for (const auto& parameter : family.parameters) {
    std::vector<Kernel> longer;
    longer.reserve(all.size() * parameter.values.size());
    for (const auto& kernel : all) {
      for (const auto value : parameter.values) {
        longer.push_back(kernel);
        longer.back().values.push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace wgemm::kernels
