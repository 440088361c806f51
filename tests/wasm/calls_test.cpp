// What each call gives is what the core gives.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/json/values.hpp"
#include "tests/core/devices.hpp"
#include "tests/wasm/requests.hpp"
#include "wasm/call.hpp"
#include "wasm/interface.h"
#include "wgemm/ladder.hpp"

namespace wgemm::testing {
namespace {

Json result(const Json& request) {
  const auto answer = Json::parse(wasm::answer(request.dump()), nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(answer.contains("result")) << request.dump().substr(0, 400) << "\n"
                                         << answer.dump().substr(0, 400);
  return answer.is_object() ? answer.value("result", Json()) : Json();
}

DeviceProfile h200() { return *find_profile("h200"); }

TEST(WasmCalls, VersionIsTheProjects) {
  EXPECT_EQ(result(request("version")), Json({{"wgemm", WGEMM_VERSION}, {"plan_version", 1}}));
}

TEST(WasmCalls, PlanIsThePlannersAsItIsWritten) {
  auto given = problem(300, 200, 100);
  given.a.type = given.b.type = DataType::f16;
  given.epilogue.bias = Bias::per_row;
  const PlanOptions options{.edges = EdgePolicy::padded, .split_k = 3, .max_dispatch_flops = 1e6};
  const auto plan = make_plan(given, h200(), options);
  ASSERT_TRUE(plan);
  EXPECT_EQ(result(plan_request(given, h200(), options)).dump(2), to_json(*plan));
}

TEST(WasmCalls, WhatIsLeftOutTakesItsDefault) {
  const auto plan = make_plan(problem(8, 8, 8), DeviceProfile{});
  const auto answer =
      result(request("plan", {{"problem", {{"m", 8}, {"n", 8}, {"k", 8}}}, {"profile", Json::object()}}));
  EXPECT_EQ(answer, json::plan_value(*plan));
}

TEST(WasmCalls, ABatchNamesTheDimensionsThatItHas) {
  auto whole = problem(8, 6, 4);
  whole.batch.rank = 2;
  whole.batch.extents = {5, 3};
  whole.batch.a = {96, 32};
  whole.batch.c = {144, 48};
  const auto planned = [](const Json& batch) {
    auto asked = plan_request(problem(8, 6, 4), h200());
    asked["problem"]["batch"] = batch;
    return result(asked)["problem"];
  };
  const auto expected = json::Writer::of(whole);
  Json batch = {{"rank", 2}, {"extents", {5, 3}}, {"a", {96, 32}}, {"c", {144, 48}}};
  EXPECT_EQ(planned(batch), expected);
  batch.erase("rank");
  EXPECT_EQ(planned(batch), expected);
  batch = {{"rank", 2}, {"extents", {5, 3, 9}}, {"a", {96, 32, 9}}, {"c", {144, 48, 9}}};
  const auto with_unused = planned(batch)["batch"];
  EXPECT_EQ(with_unused["rank"], 2);
  EXPECT_EQ(with_unused["extents"], Json({5, 3, 9, 0}));
  EXPECT_EQ(planned({{"extents", Json::array()}}), json::Writer::of(problem(8, 6, 4)));
  EXPECT_EQ(planned({{"table", {{{"a", 32}}}}})["batch"]["rank"], 0);
}

/// A problem for which the device's shipped choice is another than the model's. 0 rows: there is none.
Problem differently_tuned(const DeviceProfile& device) {
  for (const auto& entry : shipped_tuning().entries) {
    const auto& sizes = entry.problem;
    auto given = problem(sizes.m, sizes.n, sizes.k);
    if (sizes != tuning_problem(given)) continue;
    if (make_plan(given, device)->kernel != make_plan(given, device, {}, nullptr)->kernel) return given;
  }
  return {};
}

TEST(WasmCalls, TuningIsLookedUpBeforeTheShippedOne) {
  auto device = h200();
  device.device_id = 0x2335;  // for which there are shipped choices
  const auto given = differently_tuned(device);
  ASSERT_GT(given.m, 0U) << "the shipped choices tell nothing here";
  auto asked = plan_request(given, device);
  EXPECT_EQ(result(asked).value("kernel", ""), make_plan(given, device)->kernel);

  asked["tuning"] = nullptr;
  EXPECT_EQ(result(asked).value("kernel", ""), make_plan(given, device, {}, nullptr)->kernel);

  TuningData data;
  data.entries.push_back({.device = tuning_device(device),
                          .problem = tuning_problem(given),
                          .kernel = "tiled_TILE8_ROWS1_PAD0",
                          .seconds = 1});
  asked["tuning"] = Json::parse(to_json(data));
  EXPECT_EQ(result(asked).value("kernel", ""), "tiled_TILE8_ROWS1_PAD0");

  // Of another size, so that the shipped choice holds again.
  data.entries.front().problem.m *= 64;
  asked["tuning"] = Json::parse(to_json(data));
  EXPECT_EQ(result(asked).value("kernel", ""), make_plan(given, device)->kernel);
}

TEST(WasmCalls, SplitTakesAnOperandsPreparationOut) {
  auto given = problem(100, 100, 100);
  given.b.order = Order::col_major;
  const PlanOptions options{.edges = EdgePolicy::padded};
  auto asked = plan_request(given, h200(), options);
  asked["call"] = "split";
  for (const auto matrix : {Matrix::a, Matrix::b}) {
    asked["operand"] = matrix == Matrix::a ? "a" : "b";
    const auto halves = split_operand(*make_plan(given, h200(), options), matrix);
    const auto answer = result(asked);
    EXPECT_EQ(answer["prepare"], json::plan_value(halves.prepare));
    EXPECT_EQ(answer["use"], json::plan_value(halves.use));
    EXPECT_FALSE(halves.prepare.steps.empty());
  }
}

TEST(WasmCalls, DescribeTellsTextOperationsAndBytes) {
  auto given = problem(64, 32, 48);
  given.b = {DataType::u4, Order::col_major};
  given.quantization = {16, DataType::f16, true};
  given.epilogue.bias = Bias::per_column;
  const auto answer = result(request("describe", {{"problem", json::Writer::of(given)}}));
  EXPECT_EQ(answer["text"], describe(given));
  EXPECT_EQ(answer["flops"], 2.0 * 64 * 32 * 48);
  EXPECT_EQ(answer["bytes"], Json({{"a", 64 * 48 * 4},
                                   {"b", 32 * 48 / 2},
                                   {"c", 64 * 32 * 4},
                                   {"bias", 32 * 4},
                                   {"residual", 0},
                                   {"scales", 32 * 3 * 2},
                                   {"zeros", 32 * 2}}));
}

TEST(WasmCalls, KernelsAndTheirNames) {
  const auto kernels = result(request("kernels"));
  const auto known = list_kernels();
  ASSERT_EQ(kernels.size(), known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(kernels[i]["name"], known[i].name);
    ASSERT_EQ(kernels[i]["parameters"].size(), known[i].parameters.size());
    for (std::size_t j = 0; j < known[i].parameters.size(); ++j) {
      EXPECT_EQ(kernels[i]["parameters"][j]["values"], Json(known[i].parameters[j].values));
    }
  }
  EXPECT_EQ(result(request("canonical_kernel_name", {{"name", "tiled_TILE32"}})),
            *canonical_kernel_name("tiled_TILE32"));
  const auto profile = json::Writer::of(h200());
  EXPECT_EQ(result(request("configurations",
                           {{"family", "subgroup-matrix"}, {"profile", profile}, {"type", "f16"}})),
            Json(*list_configurations("subgroup-matrix", h200(), DataType::f16)));
}

TEST(WasmCalls, LadderTellsWhichRungsRun) {
  for (const auto& profile : builtin_profiles()) {
    const auto rungs = result(request("ladder", {{"profile", json::Writer::of(profile)}}));
    ASSERT_EQ(rungs.size(), list_rungs().size());
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      const auto& rung = list_rungs()[i];
      EXPECT_EQ(rungs[i]["name"], rung.name);
      EXPECT_EQ(rungs[i]["adds"], rung.adds);
      const auto chosen = rung_kernel(rung, profile);
      EXPECT_EQ(rungs[i]["kernel"], chosen.kernel);
      EXPECT_EQ(rungs[i]["operands"], to_string(chosen.operands));
      auto given = problem(64, 64, 64);
      given.a.type = given.b.type = chosen.operands;
      const auto plan = make_plan(given, profile, {.kernel = chosen.kernel});
      EXPECT_EQ(rungs[i]["unavailable"], plan ? "" : plan.error().message)
          << profile.name << " " << rung.name;
    }
  }
}

TEST(WasmCalls, ProfilesAreTheBuiltInOnes) {
  const auto names = result(request("profiles"));
  ASSERT_EQ(names.size(), builtin_profiles().size());
  for (const auto& profile : builtin_profiles()) {
    const auto answer = result(request("profile", {{"name", profile.name}}));
    EXPECT_EQ(answer.dump(2), to_json(profile));
    EXPECT_EQ(result(request("minimum_profile", {{"profile", answer}})).dump(2),
              to_json(with_minimum_limits(profile)));
  }
}

TEST(WasmInterface, AnswersFromMemoryOfItsOwn) {
  const std::string text = request("version").dump();
  auto* const memory = static_cast<char*>(wgemm_allocate(text.size()));
  ASSERT_NE(memory, nullptr);
  text.copy(memory, text.size());
  const auto* const answer = wgemm_call(memory, text.size());
  wgemm_release(memory);
  EXPECT_EQ(std::string(answer->text, answer->bytes), wasm::answer(text));
  wgemm_release_answer(answer);
}

}  // namespace
}  // namespace wgemm::testing
