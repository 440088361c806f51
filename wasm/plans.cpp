// Problems: their plans, and what they come to.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/caller_buffers.hpp"
#include "core/json/plan_fields.hpp"
#include "core/json/planner_fields.hpp"
#include "core/json/profile_fields.hpp"
#include "core/json/values.hpp"
#include "wasm/arguments.hpp"
#include "wasm/calls.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::wasm {
namespace {

struct ToPlan {
  Problem problem;
  DeviceProfile profile;
  PlanOptions options;
  Json tuning = Json::object();  ///< null: no measured choices; as it is: the shipped ones
};
void fields(json::Reader& reader, ToPlan& arguments) {
  reader.required("problem", arguments.problem);
  reader.required("profile", arguments.profile);
  reader("options", arguments.options);
  reader("tuning", arguments.tuning);
}

struct ToSplit : ToPlan {
  std::string operand;
};
void fields(json::Reader& reader, ToSplit& arguments) {
  fields(reader, static_cast<ToPlan&>(arguments));
  reader.required("operand", arguments.operand);
}

struct ToDescribe {
  Problem problem;
};
void fields(json::Reader& reader, ToDescribe& arguments) { reader.required("problem", arguments.problem); }

/// The error's argument as a path of the request.
Error within(std::string_view path, Error error) {
  return at(std::string(path) + "." + error.argument, std::move(error));
}

Result<void> check(const Problem& problem) {
  return validate(problem).map_error([](const Error& error) { return within("problem", error); });
}

/// What the planner goes by: the caller's choices, and behind them the shipped ones; of two that serve alike,
/// the first counts.
Result<TuningData> choices(const Json& tuning) {
  auto data = json::tuning_of(tuning);
  if (!data) return tl::unexpected(within("tuning", data.error()));
  const auto& shipped = shipped_tuning().entries;
  data->entries.insert(data->entries.end(), shipped.begin(), shipped.end());
  return data;
}

Result<Plan> make(const ToPlan& arguments) {
  const auto& [problem, profile, options, tuning] = arguments;
  if (auto done = check(problem); !done) return tl::unexpected(done.error());
  if (tuning.is_null()) return make_plan(problem, profile, options, nullptr);
  if (tuning.empty()) return make_plan(problem, profile, options);
  const auto data = choices(tuning);
  if (!data) return tl::unexpected(data.error());
  return make_plan(problem, profile, options, &*data);
}

}  // namespace

Result<Json> plan(const Json& request) {
  const auto arguments = read_arguments<ToPlan>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  return make(*arguments).map(json::plan_value);
}

Result<Json> split(const Json& request) {
  const auto arguments = read_arguments<ToSplit>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  const auto& operand = arguments->operand;
  if (operand != "a" && operand != "b") {
    return fail(ErrorCode::invalid_argument, "operand",
                "request: 'operand' is \"" + operand + "\"; it is to be a or b");
  }
  const auto whole = make(*arguments);
  if (!whole) return tl::unexpected(whole.error());
  const auto [prepare, use] = split_operand(*whole, operand == "a" ? Matrix::a : Matrix::b);
  return Json{{"prepare", json::plan_value(prepare)}, {"use", json::plan_value(use)}};
}

Result<Json> describe(const Json& request) {
  const auto arguments = read_arguments<ToDescribe>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  const auto& problem = arguments->problem;
  if (auto done = check(problem); !done) return tl::unexpected(done.error());
  auto bytes = Json::object();
  const auto buffers = caller_bytes(problem);
  for (std::size_t role = 0; role < buffers.size(); ++role) {
    bytes[to_string(static_cast<BufferRole>(role))] = buffers.at(role);
  }
  return Json{{"text", wgemm::describe(problem)}, {"flops", problem.flops()}, {"bytes", std::move(bytes)}};
}

}  // namespace wgemm::wasm
