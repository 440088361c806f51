#include "wasm/call.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "wasm/arguments.hpp"
#include "wasm/calls.hpp"

namespace wgemm::wasm {
namespace {

struct Call {
  std::string_view name;
  Result<Json> (*answer)(const Json& request);
};

constexpr std::array<Call, 16> kCalls{{{"version", version},
                                       {"plan", plan},
                                       {"split", split},
                                       {"describe", describe},
                                       {"panels", panels},
                                       {"panel", panel},
                                       {"kernels", kernels},
                                       {"configurations", configurations},
                                       {"canonical_kernel_name", canonical_kernel_name},
                                       {"ladder", ladder},
                                       {"profiles", profiles},
                                       {"profile", profile},
                                       {"minimum_profile", minimum_profile},
                                       {"next_trial", next_trial},
                                       {"tuning_entry", tuning_entry},
                                       {"merge_tuning", merge_tuning}}};

tl::unexpected<Error> wrong_request(std::string argument, const std::string& why) {
  return fail(ErrorCode::invalid_argument, std::move(argument), "request: " + why);
}

/// Path of the first whole number that JavaScript cannot hold; empty where there is none.
std::string beyond_javascript(const Json& json) {
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > kLargestNumber) return json.dump();
  if (!json.is_structured()) return {};
  for (const auto& item : json.items()) {
    if (auto found = beyond_javascript(item.value()); !found.empty()) {
      return item.key() + (item.value().is_structured() ? "." : " = ") + found;
    }
  }
  return {};
}

Result<Json> result_of(std::string_view request) {
  const auto json = Json::parse(request, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return wrong_request("request", "it is no JSON object");
  const auto name = json.find("call");
  if (name == json.end() || !name->is_string()) {
    return wrong_request("call", "'call' is " + (name == json.end() ? "missing" : json::shown(*name)) +
                                     "; it is to be the name of a call");
  }
  const auto found = std::ranges::find_if(kCalls, [&](const Call& call) { return *name == call.name; });
  if (found == kCalls.end()) {
    std::string names;
    for (const auto& call : kCalls) names.append(names.empty() ? "" : ", ").append(call.name);
    return fail(ErrorCode::not_found, "call",
                "request: there is no call " + json::shown(*name) + "; there are " + names);
  }
  auto result = found->answer(json);
  if (!result) return result;
  if (const auto where = beyond_javascript(*result); !where.empty()) {
    return fail(ErrorCode::unsupported, where.substr(0, where.find(' ')),
                where + " is above 2^53, and JavaScript would round it");
  }
  return result;
}

}  // namespace

std::string answer(std::string_view request) {
  auto result = result_of(request);
  Json answer;
  if (result) {
    answer["result"] = std::move(*result);
  } else {
    const auto& [code, argument, message] = result.error();
    answer["error"] = {{"code", to_string(code)}, {"argument", argument}, {"message", message}};
  }
  return answer.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace wgemm::wasm
