// Any bytes are answered; what is wrong with them is named by its path.
#include <gmock/gmock.h>

#include <limits>
#include <string>

#include "tests/core/devices.hpp"
#include "tests/wasm/requests.hpp"
#include "wasm/call.hpp"

namespace wgemm::testing {
namespace {

using ::testing::HasSubstr;

struct Refusal {
  std::string code;
  std::string argument;
  std::string message;
};

Refusal refusal(const std::string& request) {
  const auto answer = Json::parse(wasm::answer(request), nullptr, /*allow_exceptions=*/false);
  if (!answer.is_object() || !answer.contains("error")) {
    ADD_FAILURE() << request.substr(0, 400) << "\n" << answer.dump().substr(0, 400);
    return {};
  }
  const auto& error = answer["error"];
  return {error.value("code", ""), error.value("argument", ""), error.value("message", "")};
}

/// A plan's request with one field set, by its JSON pointer.
Refusal with(const std::string& pointer, const Json& value) {
  auto asked = plan_request(problem(64, 64, 64), *find_profile("h200"));
  asked[Json::json_pointer(pointer)] = value;
  return refusal(asked.dump());
}

void expect_refused(const Refusal& given, const std::string& argument, const std::string& part,
                    const std::string& code = "invalid_argument") {
  EXPECT_EQ(given.code, code) << given.message;
  EXPECT_EQ(given.argument, argument) << given.message;
  EXPECT_THAT(given.message, HasSubstr(part));
}

TEST(WasmBadRequests, NoJsonObject) {
  const std::string deep(100000, '[');
  for (const std::string text : {"", "no JSON", "{", "[1]", "1e400", "{\"call\": \"\xff\"}", deep.c_str()}) {
    expect_refused(refusal(text), "request", "no JSON object");
  }
}

TEST(WasmBadRequests, NoSuchCall) {
  expect_refused(refusal("{}"), "call", "missing");
  expect_refused(refusal(R"({"call": 3})"), "call", "is 3");
  expect_refused(refusal(R"({"call": "plans"})"), "call", "there are version, plan,", "not_found");
}

TEST(WasmBadRequests, MissingArguments) {
  expect_refused(refusal(request("plan").dump()), "problem", "missing");
  Json sizes = {{"m", 8}, {"n", 8}, {"k", 8}};
  expect_refused(refusal(request("plan", {{"problem", sizes}}).dump()), "profile", "missing");
  sizes.erase("k");  // 0 would be right, and an empty product is not what was meant
  expect_refused(refusal(request("plan", {{"problem", sizes}}).dump()), "problem.k", "missing");
  auto asked = plan_request(problem(8, 8, 8), DeviceProfile{});
  asked["call"] = "split";
  expect_refused(refusal(asked.dump()), "operand", "missing");
  expect_refused(refusal(request("profile").dump()), "name", "missing");
}

TEST(WasmBadRequests, UnknownFields) {
  expect_refused(with("/problems", 1), "problems", "there are call, problem, profile, options, tuning");
  expect_refused(with("/problem/lda", 64), "problem.lda", "no field here");
  expect_refused(with("/problem/a/lda", 64), "problem.a.lda", "there are type, order, ld, offset");
  expect_refused(with("/profile/limits/maxBufferSize", 64), "profile.limits.maxBufferSize",
                 "max_buffer_size");
  expect_refused(with("/options/tile", 64), "options.tile", "split_k");
  expect_refused(refusal(request("version", {{"profile", 1}}).dump()), "profile", "there are call");
}

TEST(WasmBadRequests, WrongTypes) {
  expect_refused(with("/problem", 3), "problem", "is 3; it is to be an object");
  expect_refused(with("/problem/m", "64"), "problem.m", "is \"64\"");
  expect_refused(with("/problem/m", nullptr), "problem.m", "is null");
  expect_refused(with("/problem/trans_a", 1), "problem.trans_a", "true or false");
  expect_refused(with("/problem/alpha", "one"), "problem.alpha", "a number");
  expect_refused(with("/problem/a/type", "f64"), "problem.a.type", "is \"f64\"; it is to be one of f32, f16");
  const auto batch = [](const Json& value) { return with("/problem/batch", value); };
  expect_refused(batch({{"extents", {1, 2, 3, 4, 5}}}), "problem.batch.extents", "an array of at most 4");
  expect_refused(batch({{"extents", {3}}, {"a", {5, 1}}}), "problem.batch.a",
                 "has 2 entries, and 'extents' has 1");
  expect_refused(batch({{"a", {5}}, {"c", {5, 1}}}), "problem.batch.c", "has 2 entries, and 'a' has 1");
  expect_refused(batch({{"extents", {1, 2, 3, 4}}, {"a", {1, 2, 3, 4, 5}}}), "problem.batch.a", "5 entries");
  expect_refused(batch({{"rank", 2}, {"extents", {3}}, {"c", {4096}}}), "problem.batch.rank",
                 "is 2; it is to be at most 1, the number of entries");
  expect_refused(batch({{"rank", 1}}), "problem.batch.rank", "is 1; it is to be at most 0");
  expect_refused(batch({{"extents", 3}}), "problem.batch.extents", "is 3; it is to be an array");
  expect_refused(batch({{"extents", {3}}}), "problem.batch.c", "cannot share one C");
  expect_refused(with("/problem/batch/table", Json::array({{{"a", -1}}})), "problem.batch.table[0].a",
                 "is -1");
  expect_refused(with("/profile/matrix_configs", Json::array({Json::array()})), "profile.matrix_configs[0]",
                 "an array of 0; it is to be an object");
  expect_refused(with("/options/kernel", 3), "options.kernel", "text");
  expect_refused(with("/options/edges", "open"), "options.edges", "one of checked, padded");
  expect_refused(with("/tuning", Json::array()), "tuning", "not a JSON object");
  expect_refused(with("/tuning", Json::object()), "tuning.format", "wgemm tuning");
}

TEST(WasmBadRequests, NumbersTooLarge) {
  constexpr auto kSafe = std::uint64_t{1} << 53U;
  expect_refused(with("/problem/a/ld", kSafe + 1), "problem.a.ld", "to 9007199254740992");
  expect_refused(with("/problem/a/offset", std::numeric_limits<std::uint64_t>::max()), "problem.a.offset",
                 "to 9007199254740992");
  expect_refused(with("/problem/k", 1e30), "problem.k", "1e+30");
  expect_refused(with("/problem/k", 1.5), "problem.k", "a whole number");
  expect_refused(with("/options/split_k", std::uint64_t{1} << 32U), "options.split_k", "to 4294967295");
  expect_refused(with("/problem/alpha", 1e300), "problem.alpha", "a number of f32");
  // Each number can be held, the bytes that they come to cannot.
  auto large = problem(1, 1, 1);
  large.a.offset = kSafe - 1;
  expect_refused(refusal(request("describe", {{"problem", json::Writer::of(large)}}).dump()), "bytes.a",
                 "36028797018963968", "unsupported");
}

TEST(WasmBadRequests, ErrorsOfTheProblemKeepTheirArgument) {
  expect_refused(with("/problem/a/ld", 3), "problem.lda", "lda = 3");
  expect_refused(with("/problem/m", std::uint64_t{1} << 32U), "problem.m", "32 bits");
  expect_refused(with("/problem/batch/rank", 9), "problem.batch.rank", "is 9; it is to be at most 4");
  auto asked = plan_request(problem(8, 8, 8), DeviceProfile{});
  asked["problem"]["b"]["type"] = "i4";
  const auto direct = [&](const char* call) {
    auto copy = call == std::string_view("describe") ? Json{{"problem", asked["problem"]}} : asked;
    return refusal(request(call, copy).dump()).argument;
  };
  EXPECT_EQ(direct("plan"), "problem.b.type");
  EXPECT_EQ(direct("describe"), "problem.b.type");
}

TEST(WasmBadRequests, OptionsAndNames) {
  expect_refused(with("/options/kernel", "none"), "options.kernel", "there is no kernel 'none'", "not_found");
  expect_refused(with("/options/max_dispatch_flops", "nan"), "options.max_dispatch_flops", "nan");
  const PlanOptions capped{.kernel = "vec4", .edges = EdgePolicy::padded, .scratch_cap = 64};
  expect_refused(refusal(plan_request(problem(100, 100, 100), DeviceProfile{}, capped).dump()),
                 "options.scratch_cap", "scratch", "unsupported");
  expect_refused(refusal(request("profile", {{"name", "h300"}}).dump()), "name", "h200", "not_found");
  expect_refused(refusal(request("canonical_kernel_name", {{"name", "none"}}).dump()), "name", "'none'",
                 "not_found");
  const Json asked{{"family", "none"}, {"profile", Json::object()}};
  expect_refused(refusal(request("configurations", asked).dump()), "family", "'none'", "not_found");
  auto split = plan_request(problem(8, 8, 8), DeviceProfile{});
  split["call"] = "split";
  split["operand"] = "c";
  expect_refused(refusal(split.dump()), "operand", "a or b");
}

TEST(WasmBadRequests, WhatTheDeviceLacksIsNamed) {
  auto asked = plan_request(problem(64, 64, 64), *find_profile("minimum"), {.kernel = "subgroup-matrix"});
  const auto plan = make_plan(problem(64, 64, 64), *find_profile("minimum"), {.kernel = "subgroup-matrix"});
  ASSERT_FALSE(plan);
  expect_refused(refusal(asked.dump()), plan.error().argument, plan.error().message, "unsupported");
}

}  // namespace
}  // namespace wgemm::testing
