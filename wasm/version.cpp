#include "core/json/values.hpp"
#include "wasm/arguments.hpp"
#include "wasm/calls.hpp"

namespace wgemm::wasm {

Result<Json> version(const Json& request) {
  if (auto done = read_arguments<None>(request); !done) return tl::unexpected(done.error());
  return Json{{"wgemm", WGEMM_VERSION}, {"plan_version", json::kPlanVersion}};
}

}  // namespace wgemm::wasm
