// Problems: their plans, and what they come to.
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
  Json tuning = Json(Json::value_t::discarded);  ///< left as it is: the shipped choices; null: none
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
Result<void> check(const Problem& problem) {
  return validate(problem).map_error([](const Error& error) { return within("problem", error); });
}

/// The planner names its own options; a kernel that it chose is none.
Error in_terms_of_request(const PlanOptions& options, Error error) {
  const bool is_option = json::Writer::of(options).contains(error.argument);
  const bool is_given = error.argument != "kernel" || !options.kernel.empty();
  return is_option && is_given ? within("options", std::move(error)) : error;
}

Result<Plan> make(const ToPlan& arguments) {
  if (auto done = check(arguments.problem); !done) return tl::unexpected(done.error());
  const auto plan_by = [&](const TuningData* choices) {
    const auto& options = arguments.options;
    return make_plan(arguments.problem, arguments.profile, options, choices).map_error([&](Error error) {
      return in_terms_of_request(options, std::move(error));
    });
  };
  if (arguments.tuning.is_discarded()) return plan_by(&shipped_tuning());
  if (arguments.tuning.is_null()) return plan_by(nullptr);
  auto choices = json::tuning_of(arguments.tuning);
  if (!choices) return tl::unexpected(within("tuning", choices.error()));
  // Behind the caller's own: of two that serve alike, the first counts.
  const auto& shipped = shipped_tuning().entries;
  choices->entries.insert(choices->entries.end(), shipped.begin(), shipped.end());
  return plan_by(&*choices);
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
                "request: 'operand' is " + json::shown(operand) + "; it is to be a or b");
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
