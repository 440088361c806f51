#include "tests/core/text_facts.hpp"

#include <algorithm>
#include <charconv>

namespace wgemm::testing {
namespace {

std::uint64_t number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::uint64_t bytes_of(std::string_view type) {
  if (type == "f16") return 2;
  if (type == "f32" || type == "u32" || type == "i32" || type == "atomic<u32>") return 4;
  if (take(type, "vec4<")) return 4 * bytes_of(type.substr(0, type.size() - 1));
  if (take(type, "array<")) {
    const auto comma = type.rfind(',');
    if (comma == std::string_view::npos) return 0;
    return bytes_of(type.substr(0, comma)) * number(type.substr(comma + 1));
  }
  return 0;
}

std::uint64_t workgroup_bytes(std::string_view wgsl) {
  constexpr std::string_view kDeclaration = "var<workgroup> ";
  std::uint64_t bytes = 0;
  for (auto at = wgsl.find(kDeclaration); at != std::string_view::npos;
       at = wgsl.find(kDeclaration, at + 1)) {
    const auto colon = wgsl.find(": ", at) + 2;
    bytes += bytes_of(wgsl.substr(colon, wgsl.find(';', colon) - colon));
  }
  return bytes;
}

std::array<std::uint32_t, 3> workgroup_size(std::string_view wgsl) {
  constexpr std::string_view kAttribute = "@workgroup_size(";
  std::array<std::uint32_t, 3> size{1, 1, 1};
  auto rest = wgsl.substr(wgsl.find(kAttribute) + kAttribute.size());
  rest = rest.substr(0, rest.find(')'));
  for (auto& extent : size) {
    extent = static_cast<std::uint32_t>(number(rest));
    const auto comma = rest.find(',');
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return size;
}

std::vector<std::string> forbidden_forms(std::string_view wgsl) {
  std::vector<std::string> found;
  // Each is refused, or compiled into wrong numbers, by one of the two WGSL compilers (design.md,
  // "dialects"); the atomic ones would add up in another order on every run, which a driver with one thread
  // does not show.
  for (const std::string_view form :
       {"ptr<workgroup", "ptr<storage", "bitcast<vec4<f16>>", "requires ", "override ", "immediate", "$",
        "\n#", "atomicAdd", "atomicSub", "atomicExchange", "atomicCompareExchangeWeak"}) {
    if (wgsl.find(form) != std::string_view::npos) found.emplace_back(form);
  }
  const bool ascii = std::ranges::all_of(wgsl, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
  if (!ascii) found.emplace_back("a character outside ASCII");
  return found;
}

}  // namespace wgemm::testing
