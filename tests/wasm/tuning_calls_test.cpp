// A search through the module goes as one in the program does, and what it finds is tuning data.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/tuning/search_order.hpp"
#include "tests/core/devices.hpp"
#include "tests/wasm/requests.hpp"
#include "wasm/call.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::testing {
namespace {

Json answer_to(const Json& request) {
  return Json::parse(wasm::answer(request.dump()), nullptr, /*allow_exceptions=*/false);
}

/// Seconds that a kernel takes here, from its name alone; some give no result.
std::optional<double> made_up(const std::string& kernel, std::uint32_t split_k) {
  const auto hash = std::hash<std::string>{}(kernel + std::to_string(split_k));
  if (hash % 7 == 0) return std::nullopt;
  return 1e-3 * static_cast<double>(hash % 1000 + 1);
}

TEST(WasmTuning, TheSearchIsTheCores) {
  const auto given = problem(96, 80, 4096);
  const auto profile = *find_profile("lavapipe");
  auto asked = request("next_trial", {{"problem", json::Writer::of(given)},
                                      {"profile", json::Writer::of(profile)},
                                      {"trials", Json::array()}});
  tuning::SearchOrder order(given, profile);
  std::vector<std::string> names;
  Json answer;
  for (;;) {
    answer = answer_to(asked).value("result", Json());
    ASSERT_TRUE(answer.is_object()) << answer_to(asked).dump();
    EXPECT_EQ(answer["candidates"], tuning::candidate_checksum(given, profile));
    const auto* choice = order.next();
    if (choice == nullptr) break;
    const auto kernel = kernels::name(choice->kernel);
    ASSERT_EQ(answer["next"]["kernel"], kernel);
    ASSERT_EQ(answer["next"]["split_k"], choice->split_k);
    EXPECT_EQ(answer["next"]["estimated_seconds"], choice->seconds);
    EXPECT_EQ(answer["next"]["heuristic"], names.empty());
    const auto seconds = made_up(kernel, choice->split_k);
    order.tried(seconds);
    names.push_back(kernel);
    // In another order than they were tried in.
    auto& trials = asked["trials"];
    trials.insert(trials.begin(),
                  Json{{"kernel", kernel}, {"split_k", choice->split_k}, {"seconds", seconds.value_or(0)}});
  }
  EXPECT_TRUE(answer["next"].is_null());
  const auto last = names.size() - 1;
  ASSERT_TRUE(order.fastest() && order.kept());
  EXPECT_EQ(answer["fastest"], last - order.fastest().value_or(0));
  EXPECT_EQ(answer["kept"], last - order.kept().value_or(0));
}

Json entry_request(double seconds) {
  return request("tuning_entry", {{"problem", json::Writer::of(problem(64, 64, 64))},
                                  {"profile", json::Writer::of(*find_profile("h200"))},
                                  {"kernel", "tiled_TILE16"},
                                  {"seconds", seconds},
                                  {"heuristic_seconds", 2e-3},
                                  {"date", "2026-11-30T12:00:00Z"},
                                  {"tool", "page"}});
}

TEST(WasmTuning, AnEntryIsDataThatTheProgramTakes) {
  const auto answer = answer_to(entry_request(1e-3));
  ASSERT_TRUE(answer.contains("result")) << answer.dump();
  const auto data = tuning_from_json(answer["result"].dump());
  ASSERT_TRUE(data) << data.error().message;
  const auto& entry = data->entries.at(0);
  EXPECT_EQ(entry.device, tuning_device(*find_profile("h200")));
  EXPECT_EQ(entry.problem, tuning_problem(problem(64, 64, 64)));
  EXPECT_EQ(entry.kernel, canonical_kernel_name("tiled_TILE16").value_or(""));
  EXPECT_EQ(entry.seconds, 1e-3);
  EXPECT_EQ(entry.split_k, 1U);
}

TEST(WasmTuning, MergedDataHaveTheYoungerOfTwo) {
  const auto older = answer_to(entry_request(1e-3))["result"];
  auto asked = entry_request(3e-3);
  asked["date"] = "2026-12-01T00:00:00Z";
  const auto younger = answer_to(asked)["result"];
  for (const auto& [data, with] : {std::pair(older, younger), std::pair(younger, older)}) {
    const auto merged = answer_to(request("merge_tuning", {{"data", data}, {"with", with}}));
    ASSERT_TRUE(merged.contains("result")) << merged.dump();
    EXPECT_EQ(merged["result"], younger);
  }
}

TEST(WasmTuning, WhatIsWrongIsNamed) {
  const auto error = [](const Json& asked) { return answer_to(asked).value("error", Json::object()); };
  EXPECT_EQ(error(entry_request(0)).value("argument", ""), "entries[0].seconds");
  auto asked = entry_request(1);
  asked["kernel"] = "tilde";
  EXPECT_EQ(error(asked).value("argument", ""), "kernel");
  asked = entry_request(1);
  asked["problem"]["a"]["ld"] = 3;
  EXPECT_EQ(error(asked).value("argument", ""), "problem.lda");
  EXPECT_EQ(error(request("merge_tuning", {{"data", Json::object()}, {"with", 3}})).value("argument", ""),
            "data.format");
  EXPECT_EQ(error(request("merge_tuning", {{"data", answer_to(entry_request(1))["result"]}, {"with", 3}}))
                .value("argument", ""),
            "with.tuning");
  EXPECT_EQ(error(request("next_trial", {{"problem", json::Writer::of(problem(8, 8, 8))},
                                         {"profile", Json::object()},
                                         {"trials", {{{"split_k", 2}}}}}))
                .value("argument", ""),
            "trials[0].kernel");
}

}  // namespace
}  // namespace wgemm::testing
