// What kernels there are, and which of them run on a device.
#include <string>

#include "core/json/planner_fields.hpp"
#include "core/json/profile_fields.hpp"
#include "core/kernels/kernel.hpp"
#include "wasm/arguments.hpp"
#include "wasm/calls.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::wasm {
namespace {

struct OfFamily {
  std::string family;
  DeviceProfile profile;
  DataType type = DataType::f32;
};
void fields(json::Reader& reader, OfFamily& arguments) {
  reader.required("family", arguments.family);
  reader.required("profile", arguments.profile);
  reader("type", arguments.type);
}

/// Why the kernel does not run on the device; empty where it does.
std::string unavailable(const RungKernel& rung, const DeviceProfile& profile) {
  const auto kernel = kernels::parse(rung.kernel);
  if (!kernel) return kernel.error().message;
  const auto done = kernels::check(*kernel, profile, rung.operands);
  return done ? std::string() : done.error().message;
}

}  // namespace

Result<Json> kernels(const Json& request) {
  if (auto done = read_arguments<None>(request); !done) return tl::unexpected(done.error());
  return json::Writer::of(list_kernels());
}

Result<Json> configurations(const Json& request) {
  const auto arguments = read_arguments<OfFamily>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  const auto names = list_configurations(arguments->family, arguments->profile, arguments->type);
  if (!names) return tl::unexpected(at("family", names.error()));
  return json::Writer::of(*names);
}

Result<Json> canonical_kernel_name(const Json& request) {
  const auto arguments = read_arguments<ByName>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  const auto name = wgemm::canonical_kernel_name(arguments->name);
  if (!name) return tl::unexpected(at("name", name.error()));
  return Json(*name);
}

Result<Json> ladder(const Json& request) {
  const auto arguments = read_arguments<OfDevice>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  auto rungs = Json::array();
  for (const auto& rung : list_rungs()) {
    const auto chosen = rung_kernel(rung, arguments->profile);
    auto row = json::Writer::of(rung);
    row["kernel"] = chosen.kernel;
    row["operands"] = to_string(chosen.operands);
    row["unavailable"] = unavailable(chosen, arguments->profile);
    rungs.push_back(std::move(row));
  }
  return rungs;
}

}  // namespace wgemm::wasm
