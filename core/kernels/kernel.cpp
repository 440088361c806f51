#include "core/kernels/kernel.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
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

}  // namespace

std::string name(const Kernel& kernel) {
  std::string text(kernel.family->name);
  for (std::size_t i = 0; i < kernel.values.size(); ++i) {
    const auto& parameter = kernel.family->parameters[i];
    if (parameter.implied && kernel.values[i] == parameter.standard) continue;
    text += "_" + std::string(parameter.name) + std::to_string(kernel.values[i]);
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

std::int64_t value_of(const Kernel& kernel, std::string_view parameter) {
  const auto& parameters = kernel.family->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == parameter) return kernel.values[i];
  }
  return 0;
}

std::uint32_t slices(const Kernel& kernel) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(1, value_of(kernel, "SLICES")));
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
  const std::array<std::pair<std::string_view, std::uint32_t*>, 10> figures{
      {{family.workgroup_x, &result.workgroup_x},
       {family.workgroup_y, &result.workgroup_y},
       {family.block_m, &result.block_m},
       {family.block_n, &result.block_n},
       {family.block_k, &result.block_k},
       {family.workgroup_bytes, &result.workgroup_bytes},
       {family.registers, &result.registers},
       {family.operations, &result.operations},
       {family.reuse_m, &result.reuse_m},
       {family.reuse_n, &result.reuse_n}}};
  for (const auto& [expression, target] : figures) {
    if (expression.empty()) continue;
    const auto value = text::evaluate(expression, names);
    if (!value) return tl::unexpected(value.error());
    *target = static_cast<std::uint32_t>(*value);
  }
  return result;
}

}  // namespace wgemm::kernels
