// Plans as JSON text: what is written is read back as the same plan, and what is no plan is refused by the
// field's name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/core/devices.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

using Json = nlohmann::ordered_json;
using testing::problem;

/// Problems whose plans have one of everything that a plan can hold.
std::vector<Problem> problems() {
  std::vector<Problem> all(4, problem(33, 70, 37));
  all[1].a.ld = 40;
  all[1].b.order = Order::col_major;
  all[1].trans_b = Transpose::transpose;
  all[2].alpha = 0.1F;
  all[2].beta = -3;
  all[2].epilogue.bias = Bias::per_row;
  all[2].epilogue.activation = Activation::clamp;
  all[2].epilogue.upper = std::numeric_limits<float>::infinity();
  all[2].epilogue.add_residual = true;
  all[3].batch.rank = 2;
  all[3].batch.extents = {3, 2};
  all[3].batch.a = {0, 1221};
  all[3].batch.c = {4620, 2310};
  return all;
}

Plan plan_of(const Problem& each,
             const PlanOptions& options = {.kernel = "tiled", .edges = EdgePolicy::padded, .split_k = 2}) {
  auto plan = make_plan(each, *find_profile("h200"), options);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan.value_or(Plan{});
}

TEST(PlanJson, IsReadBackAsThePlanThatWasWritten) {
  for (const auto& each : problems()) {
    const auto plan = plan_of(each);
    const auto text = to_json(plan);
    const auto read = plan_from_json(text);
    ASSERT_TRUE(read) << read.error().message;
    for (const auto& shader : read->shaders) EXPECT_FALSE(shader.proven_in_bounds);
    auto trusted = *read;
    for (auto& shader : trusted.shaders) shader.proven_in_bounds = true;
    EXPECT_EQ(to_json(trusted), text);
    ASSERT_EQ(read->steps.size(), plan.steps.size());
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const auto& step = plan.steps[i];
      EXPECT_EQ(read->steps[i].kind, step.kind);
      EXPECT_EQ(read->steps[i].bindings.size(), step.bindings.size());
      ASSERT_EQ(read->steps[i].dispatches.size(), step.dispatches.size());
      for (std::size_t j = 0; j < step.dispatches.size(); ++j) {
        EXPECT_EQ(read->steps[i].dispatches[j].uniforms, step.dispatches[j].uniforms);
        EXPECT_EQ(read->steps[i].dispatches[j].workgroups, step.dispatches[j].workgroups);
        EXPECT_EQ(read->steps[i].dispatches[j].batch_word, step.dispatches[j].batch_word);
      }
    }
  }
}

TEST(PlanJson, StatesTheProblemAndTheTexts) {
  const auto plan = plan_of(problems()[1]);
  const auto json = Json::parse(to_json(plan));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["kernel"], plan.kernel);
  EXPECT_EQ(json["problem"]["m"], 33);
  EXPECT_EQ(json["problem"]["trans_b"], true);
  EXPECT_EQ(json["problem"]["a"],
            Json::parse(R"({"type": "f32", "order": "row_major", "ld": 40, "offset": 0})"));
  ASSERT_EQ(json["shaders"].size(), plan.shaders.size());
  for (std::size_t i = 0; i < plan.shaders.size(); ++i) {
    EXPECT_EQ(json["shaders"][i]["wgsl"], plan.shaders[i].wgsl);
    EXPECT_EQ(json["shaders"][i]["workgroup_size"], plan.shaders[i].workgroup_size);
  }
}

TEST(PlanJson, KeepsInfinitiesAndNaNs) {
  const auto text = to_json(plan_of(problems()[2]));
  EXPECT_EQ(Json::parse(text)["problem"]["epilogue"]["upper"], "inf");
  EXPECT_EQ(plan_from_json(text)->problem.epilogue.upper, std::numeric_limits<float>::infinity());
}

struct Damage {
  const char* pointer;   ///< RFC 6901
  Json value;            ///< what stands there instead; discarded: nothing
  const char* argument;  ///< of the error
  ErrorCode code = ErrorCode::invalid_argument;
};

std::ostream& operator<<(std::ostream& out, const Damage& damage) {
  return out << damage.pointer << " = " << damage.value;
}

class DamagedPlan : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedPlan, IsRefusedByTheNameOfTheField) {
  auto json = Json::parse(to_json(plan_of(problems()[3])));
  const Json::json_pointer pointer(GetParam().pointer);
  if (GetParam().value.is_discarded()) {
    json[pointer.parent_pointer()].erase(pointer.back());
  } else {
    json[pointer] = GetParam().value;
  }
  const auto read = plan_from_json(json.dump());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().argument, GetParam().argument) << read.error().message;
  EXPECT_EQ(read.error().code, GetParam().code);
}

const Json kNothing(Json::value_t::discarded);

INSTANTIATE_TEST_SUITE_P(
    Fields, DamagedPlan,
    ::testing::Values(
        Damage{"/version", kNothing, "version", ErrorCode::unsupported},
        Damage{"/version", 2, "version", ErrorCode::unsupported}, Damage{"/kernel", kNothing, "kernel"},
        Damage{"/kernel", 7, "kernel"}, Damage{"/problem", Json::array(), "problem"},
        Damage{"/problem/m", -1, "problem.m"}, Damage{"/problem/m", 1.5, "problem.m"},
        Damage{"/problem/k", 38, "buffers[0].bytes"}, Damage{"/problem/a/type", "f64", "problem.a.type"},
        Damage{"/problem/a/ld", 3, "lda"}, Damage{"/problem/alpha", "many", "problem.alpha"},
        Damage{"/problem/batch/extents", Json::array({1}), "problem.batch.extents"},
        Damage{"/problem/batch/rank", 9, "batch.rank"}, Damage{"/buffers", Json::array(), "buffers"},
        Damage{"/buffers/0/role", "b", "buffers[0].role"}, Damage{"/buffers/7/bytes", 6, "buffers[7].bytes"},
        Damage{"/shaders", Json::array(), "steps[0].shader"},
        Damage{"/steps/0/shader", 99, "steps[0].shader"}, Damage{"/steps/0/kind", "divide", "steps[0].kind"},
        Damage{"/steps/0/bindings/0/buffer", 99, "steps[0].bindings[0].buffer"},
        Damage{"/steps/0/bindings/0/bytes", 1U << 30U, "steps[0].bindings[0]"},
        Damage{"/steps/0/bindings/0/writable", true, "steps[0].bindings[0].writable"},
        Damage{"/steps/0/bindings/1/index", 0, "steps[0].bindings[0].index"},
        Damage{"/steps/0/dispatches/0/workgroups", Json::array({1, 1}), "steps[0].dispatches[0].workgroups"},
        Damage{"/steps/0/dispatches/0/batch_word", 1000, "steps[0].dispatches"}));

TEST(PlanJson, RefusesWhatIsNoObject) {
  for (const char* text : {"", "{", "[]", "null", "\x80"}) {
    const auto read = plan_from_json(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().argument, "plan");
  }
}

}  // namespace
}  // namespace wgemm
