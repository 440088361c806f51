// The calls that cut a product into panels give what the core does.
#include <gmock/gmock.h>

#include <cstdint>

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
  ASSERT_GT(streaming->count, 4U);
  const auto asked = panels_request(whole, Limits{}, cap);
  const auto all = answer(asked)["result"];
  EXPECT_EQ(all["whole"], json::Writer::of(whole));
  EXPECT_EQ(all["options"]["scratch_cap"], streaming->scratch_cap);
  EXPECT_EQ(all["count"], streaming->count);
  for (std::uint64_t i = 0; i < streaming->count; ++i) {
    SCOPED_TRACE(i);
    const auto panel = panel_at(whole, *streaming, i);
    const auto found = answer(panel_request(asked, i))["result"];
    EXPECT_EQ(found["first_k"], panel.first_k);
    EXPECT_EQ(found["last_k"], panel.last_k);
    EXPECT_EQ(found["problem"], json::Writer::of(panel_problem(whole, panel, streaming->c_type)));
    auto parts = Json::array();
    for (const auto role : {BufferRole::a, BufferRole::b, BufferRole::c, BufferRole::bias}) {
      if (role == BufferRole::bias && !panel.last_k) continue;
      parts.push_back(json::Writer::of(part_of(whole, panel, streaming->c_type, role)));
    }
    EXPECT_EQ(found["parts"], parts);
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
  EXPECT_EQ(argument(panels_request(problem(100'000, 100'000, 100'000), Limits{}, 65536)), "memory_cap");
  Limits small;
  small.max_buffer_size = 8;
  EXPECT_EQ(argument(panels_request(problem(64, 64, 64), small, 0)), "limits.max_buffer_size");
  auto wrong = problem(64, 64, 64);
  wrong.a.ld = 3;
  EXPECT_EQ(argument(panels_request(wrong, Limits{}, 0)), "problem.lda");
  EXPECT_EQ(argument(request("panels", {{"limits", Json::object()}})), "problem");
  const auto cut = panels_request(problem(64, 64, 64), Limits{}, 20'000);
  const auto count = answer(cut)["result"]["count"].get<std::uint64_t>();
  EXPECT_TRUE(answer(panel_request(cut, count - 1)).contains("result"));
  EXPECT_EQ(argument(panel_request(cut, count)), "index");
  EXPECT_EQ(argument(panel_request(panels_request(problem(64, 64, 64), Limits{}, 0), 0)), "index");
  EXPECT_EQ(argument(panel_request(panels_request(wrong, Limits{}, 0), 0)), "problem.lda");
}

}  // namespace
}  // namespace wgemm::testing
