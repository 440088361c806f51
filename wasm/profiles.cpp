// Device profiles: those that are built in, and any under the specification's minimum limits.
#include <string>

#include "core/json/profile_fields.hpp"
#include "wasm/arguments.hpp"
#include "wasm/calls.hpp"
#include "wgemm/device_profile.hpp"

namespace wgemm::wasm {
Result<Json> profiles(const Json& request) {
  if (auto done = read_arguments<None>(request); !done) return tl::unexpected(done.error());
  auto names = Json::array();
  for (const auto& each : builtin_profiles()) names.push_back(each.name);
  return names;
}

Result<Json> profile(const Json& request) {
  const auto arguments = read_arguments<ByName>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  const auto found = find_profile(arguments->name);
  if (!found) return tl::unexpected(at("name", found.error()));
  return json::Writer::of(*found);
}

Result<Json> minimum_profile(const Json& request) {
  auto arguments = read_arguments<OfDevice>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  return json::Writer::of(with_minimum_limits(std::move(arguments->profile)));
}

}  // namespace wgemm::wasm
