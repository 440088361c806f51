// Plans as versioned JSON text, shaders included: made on one machine, kept in a file, carried out on
// another.
#include <string>

#include "core/json/check_plan.hpp"
#include "core/json/plan_fields.hpp"
#include "core/json/values.hpp"
#include "wgemm/plan.hpp"

namespace wgemm {

json::Json json::plan_value(const Plan& plan) {
  Json value{{"version", kPlanVersion}};
  value.update(Writer::of(plan));
  return value;
}

std::string to_json(const Plan& plan) {
  return json::plan_value(plan).dump(2, ' ', /*ensure_ascii=*/false, json::Json::error_handler_t::replace);
}

Result<Plan> plan_from_json(std::string_view text) {
  const auto json = json::Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail(ErrorCode::invalid_argument, "plan", "the plan is not a JSON object");
  const auto version = json.find("version");
  if (version == json.end() || *version != json::kPlanVersion) {
    return fail(ErrorCode::unsupported, "version",
                "plan: 'version' is " + (version == json.end() ? "missing" : version->dump()) +
                    "; this wgemm reads version " + std::to_string(json::kPlanVersion));
  }
  Plan plan;
  json::Reader reader(json, "plan", json::Rules{});
  fields(reader, plan);
  if (auto done = reader.result(); !done) return tl::unexpected(done.error());
  if (auto done = validate(plan.problem); !done) return tl::unexpected(done.error());
  if (auto done = json::check_plan(plan); !done) return tl::unexpected(done.error());
  return plan;
}

}  // namespace wgemm
