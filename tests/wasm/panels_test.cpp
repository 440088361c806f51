// The call that cuts a product into panels gives what the core does.
#include <gmock/gmock.h>

#include <set>
#include <string>

#include "core/json/streaming_fields.hpp"
#include "core/streaming/panels.hpp"
#include "tests/core/devices.hpp"
#include "tests/wasm/requests.hpp"
#include "wasm/call.hpp"

namespace wgemm::testing {
namespace {

Json answer(const Json& request) { return Json::parse(wasm::answer(request.dump())); }

TEST(WasmPanels, AreTheCoresWithTheirProblemsAndParts) {
  auto whole = problem(300, 200, 1000);
  whole.c.type = DataType::f16;
  whole.beta = 2;
  whole.epilogue.bias = Bias::per_row;
  const std::uint64_t cap = 200'000;
  const auto streaming = plan_streaming(whole, Limits{}, cap);
  ASSERT_TRUE(streaming);
  const auto found = answer(panels_request(whole, Limits{}, cap))["result"];
  EXPECT_EQ(found["whole"], json::Writer::of(whole));
  EXPECT_EQ(found["options"]["scratch_cap"], streaming->scratch_cap);
  ASSERT_EQ(found["panels"].size(), streaming->panels.size());
  for (std::size_t i = 0; i < streaming->panels.size(); ++i) {
    const auto& panel = streaming->panels[i];
    const auto& given = found["panels"][i];
    EXPECT_EQ(given["first_k"], panel.first_k);
    EXPECT_EQ(given["last_k"], panel.last_k);
    EXPECT_EQ(found["problems"][given["problem"].get<std::size_t>()],
              json::Writer::of(panel_problem(whole, panel, streaming->c_type)));
    auto expected = Json::array();
    for (const auto role : {BufferRole::a, BufferRole::b, BufferRole::c, BufferRole::bias}) {
      if (role == BufferRole::bias && !panel.last_k) continue;
      expected.push_back(json::Writer::of(part_of(whole, panel, streaming->c_type, role)));
    }
    auto parts = Json::array();
    for (const auto& index : given["parts"]) parts.push_back(found["parts"][index.get<std::size_t>()]);
    EXPECT_EQ(parts, expected) << "panel " << i;
  }
  for (const auto* const list : {"problems", "parts"}) {
    std::set<std::string> texts;
    for (const auto& each : found[list]) EXPECT_TRUE(texts.insert(each.dump()).second) << "written twice";
  }
}

TEST(WasmPanels, AProductThatFitsHasNone) {
  const auto fits = answer(panels_request(problem(64, 64, 64), Limits{}, 0));
  ASSERT_TRUE(fits.contains("result"));
  EXPECT_TRUE(fits["result"].is_null());
}

TEST(WasmPanels, ErrorsNameTheRequestsFields) {
  const auto argument = [](const Json& request) { return answer(request)["error"]["argument"]; };
  EXPECT_EQ(argument(panels_request(problem(64, 64, 64), Limits{}, 10)), "memory_cap");
  Limits small;
  small.max_buffer_size = 8;
  EXPECT_EQ(argument(panels_request(problem(64, 64, 64), small, 0)), "limits.max_buffer_size");
  auto wrong = problem(64, 64, 64);
  wrong.a.ld = 3;
  EXPECT_EQ(argument(panels_request(wrong, Limits{}, 0)), "problem.lda");
  EXPECT_EQ(argument(request("panels", {{"limits", Json::object()}})), "problem");
}

}  // namespace
}  // namespace wgemm::testing
