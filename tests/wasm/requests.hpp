// Requests of the module, as the tests write them.
#pragma once

#include <string_view>

#include "core/json/plan_fields.hpp"
#include "core/json/planner_fields.hpp"
#include "core/json/profile_fields.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::testing {

using json::Json;

inline Json request(std::string_view call, Json arguments = Json::object()) {
  arguments["call"] = call;
  return arguments;
}

inline Json plan_request(const Problem& problem, const DeviceProfile& profile,
                         const PlanOptions& options = {}) {
  return request("plan", {{"problem", json::Writer::of(problem)},
                          {"profile", json::Writer::of(profile)},
                          {"options", json::Writer::of(options)}});
}

inline Json panels_request(const Problem& problem, const Limits& limits, std::uint64_t memory_cap,
                           const PlanOptions& options = {}) {
  return request("panels", {{"problem", json::Writer::of(problem)},
                            {"limits", json::Writer::of(limits)},
                            {"options", json::Writer::of(options)},
                            {"memory_cap", memory_cap}});
}

/// One of them: the same request with its number.
inline Json panel_request(Json panels_request, std::uint64_t index) {
  panels_request["call"] = "panel";
  panels_request["index"] = index;
  return panels_request;
}

}  // namespace wgemm::testing
