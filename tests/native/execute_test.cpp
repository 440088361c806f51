// Plans carried out and timed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/probes/probes.hpp"
#include "fixture.hpp"
#include "native/context/context_impl.hpp"
#include "native/execute/run.hpp"

namespace wgemm {
namespace {

class ExecuteTest : public OnBothLibraries {
 protected:
  static constexpr std::uint32_t kCount = 1000;

  void SetUp() override {
    Context& context = shared_context();
    a = buffer_with(context, ramp(kCount, 1, 1));
    b = buffer_with(context, ramp(kCount, 0.5F, 2));
    c = buffer_with(context, ramp(kCount, -1, 0));
  }

  [[nodiscard]] Context::Operands operands() const { return {&a, &b, &c}; }

  Buffer a;
  Buffer b;
  Buffer c;
};
WGEMM_ON_BOTH_LIBRARIES(ExecuteTest);

std::vector<float> expected_sums(std::uint32_t count, float scale) {
  std::vector<float> values(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    values[i] = scale * (1 + static_cast<float>(i) + 0.5F + 2 * static_cast<float>(i));
  }
  return values;
}

TEST_P(ExecuteTest, PlanComputesWhatItsUniformsSay) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(kCount, 3));
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_EQ(prepared->start_cost().first_dispatch_ms, 0);
  const Result<void> ran = context.run(*prepared, a, b, c);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_GT(prepared->start_cost().first_dispatch_ms, 0);
  EXPECT_EQ(contents(context, c, kCount), expected_sums(kCount, 3));
}

TEST_P(ExecuteTest, DispatchesOfAStepHaveTheirOwnUniforms) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(kCount, 2, 7));
  ASSERT_TRUE(prepared) << prepared.error().message;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(context.run(*prepared, a, b, c));
  }
  EXPECT_EQ(contents(context, c, kCount), expected_sums(kCount, 2));
}

TEST_P(ExecuteTest, StepsSeeWhatTheStepBeforeWrote) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(two_step_plan(kCount));
  ASSERT_TRUE(prepared) << prepared.error().message;
  ASSERT_TRUE(context.run(*prepared, a, b, c));
  const std::vector<float> result = contents(context, c, kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(result[i], 2 + 5 * static_cast<float>(i)) << i;
  }
}

TEST_P(ExecuteTest, ShaderReachesNothingBehindThePlansBytes) {
  Context& context = shared_context();
  Plan plan = add_plan(64);
  plan.steps[0].dispatches[0].uniforms[0] =
      kCount;  // the guard lets everything through; the binding does not
  plan.steps[0].dispatches[0].workgroups[0] = kCount / 64 + 1;
  Result<PreparedPlan> prepared = context.prepare(plan);
  ASSERT_TRUE(prepared);
  ASSERT_TRUE(context.run(*prepared, a, b, c));
  const std::vector<float> result = contents(context, c, kCount);
  EXPECT_EQ(result[62], expected_sums(64, 1)[62]);
  for (std::uint32_t i = 64; i < kCount; ++i) {
    ASSERT_EQ(result[i], -1) << i;
  }
}

TEST_P(ExecuteTest, BrokenShaderIsACompilationErrorWithTheLibrarysWords) {
  Context& context = shared_context();
  Plan plan = add_plan(kCount);
  plan.shaders[0].label = "broken-add";
  plan.shaders[0].wgsl.replace(plan.shaders[0].wgsl.find("dims.scale"), 10, "dims.skale");
  const Result<PreparedPlan> prepared = context.prepare(plan);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::compilation);
  EXPECT_NE(prepared.error().message.find("skale"), std::string::npos) << prepared.error().message;
  EXPECT_NE(prepared.error().message.find("broken-add"), std::string::npos) << prepared.error().message;
  EXPECT_TRUE(context.prepare(add_plan(kCount))) << "the device stays usable";
}

TEST_P(ExecuteTest, BindingThatTheShaderDoesNotHaveIsACompilationError) {
  Plan plan = add_plan(kCount);
  plan.steps[0].bindings[2].writable = false;
  const Result<PreparedPlan> prepared = shared_context().prepare(plan);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::compilation);
}

TEST_P(ExecuteTest, PlanOverALimitNamesTheLimit) {
  Context& context = shared_context();
  Plan plan = add_plan(kCount);
  plan.steps[0].dispatches[0].workgroups[1] =
      context.profile().limits.max_compute_workgroups_per_dimension + 1;
  EXPECT_EQ(context.prepare(plan).error().argument, "max_compute_workgroups_per_dimension");
  plan = add_plan(kCount);
  plan.buffers[0].bytes = context.profile().limits.max_storage_buffer_binding_size + 4;
  EXPECT_EQ(context.prepare(plan).error().argument, "max_storage_buffer_binding_size");
}

TEST_P(ExecuteTest, PlanThatRefersToWhatIsNotThereIsRefused) {
  const std::vector<std::pair<std::string, std::function<void(Step&)>>> mistakes = {
      {"steps[0].shader", [](Step& step) { step.shader = 9; }},
      {"steps[0].bindings[0].buffer", [](Step& step) { step.bindings[0].buffer = 99; }},
      {"steps[0].bindings[1]", [](Step& step) { step.bindings[1].bytes = 4000; }},
      {"offset", [](Step& step) {
         step.bindings[1].offset = 4;
         step.bindings[1].bytes = 4;
       }}};
  for (const auto& [argument, make] : mistakes) {
    Plan plan = add_plan(100);
    make(plan.steps.front());
    const Result<PreparedPlan> prepared = shared_context().prepare(plan);
    ASSERT_FALSE(prepared) << argument;
    EXPECT_EQ(prepared.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(prepared.error().argument, argument);
  }
}

TEST_P(ExecuteTest, ShaderThatIsNoTextIsRefused) {
  const std::vector<std::pair<std::string, std::function<void(Shader&)>>> mistakes = {
      {"shaders[0].wgsl", [](Shader& shader) { shader.wgsl += "// \xFF"; }},
      {"shaders[0].wgsl", [](Shader& shader) { shader.wgsl += "\xE2\x82"; }},
      {"shaders[0].label", [](Shader& shader) { shader.label = "\xC0\x80"; }},
      {"shaders[0].entry_point", [](Shader& shader) { shader.entry_point = "\xED\xA0\x80"; }}};
  for (const auto& [argument, make] : mistakes) {
    Plan plan = add_plan(100);
    make(plan.shaders.front());
    const Result<PreparedPlan> prepared = shared_context().prepare(plan);
    ASSERT_FALSE(prepared) << argument;
    EXPECT_EQ(prepared.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(prepared.error().argument, argument);
  }
  Plan plan = add_plan(100);
  plan.shaders.front().wgsl += "// \xC2\xB5, \xE2\x82\xAC, \xF0\x9F\x98\x80";
  EXPECT_TRUE(shared_context().prepare(plan));
}

TEST_P(ExecuteTest, FeatureThatTheDeviceLacksIsNamed) {
  ContextOptions options = options_for(GetParam());
  options.minimum_limits = true;
  Context context = open(options);
  Plan plan = add_plan(kCount);
  plan.shaders[0].needs_f16 = true;
  const Result<PreparedPlan> prepared = context.prepare(plan);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::unsupported);
  EXPECT_EQ(prepared.error().argument, "shader-f16");
}

TEST_P(ExecuteTest, WrongOperandsAreNamed) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(kCount));
  ASSERT_TRUE(prepared);
  const Buffer small = buffer_with(context, ramp(kCount - 1, 0, 1));
  EXPECT_EQ(context.run(*prepared, a, small, c).error().argument, "b");
  EXPECT_EQ(context.run(*prepared, Buffer(), b, c).error().argument, "a");
  EXPECT_EQ(context.run(*prepared, a, b, a).error().argument, "c");
}

TEST_P(ExecuteTest, TimesGrowWithRepetitions) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(kCount));
  ASSERT_TRUE(prepared);
  const std::array sets = {operands()};
  // The shortest of some: a busy machine may stretch any of them.
  Result<Span> once = context.time(*prepared, sets, 1);
  ASSERT_TRUE(once) << once.error().message;
  for (int i = 0; i < 10; ++i) {
    const Result<Span> again = context.time(*prepared, sets, 1);
    ASSERT_TRUE(again) << again.error().message;
    once->total_ms = std::min(once->total_ms, again->total_ms);
  }
  Result<Span> often = context.time(*prepared, sets, 2000);
  ASSERT_TRUE(often) << often.error().message;
  EXPECT_GT(prepared->start_cost().first_dispatch_ms, 0) << "the first dispatch is outside of the timing";
  EXPECT_EQ(once->source, context.profile().timestamps ? TimingSource::timestamps : TimingSource::host_clock);
  EXPECT_GT(often->total_ms, 10 * once->total_ms);
  EXPECT_TRUE(often->step_ms.empty());
  EXPECT_EQ(contents(context, c, kCount), expected_sums(kCount, 1));
}

TEST_P(ExecuteTest, TimesByStepAddUp) {
  Context& context = shared_context();
  if (!context.profile().timestamps) {
    GTEST_SKIP() << "this adapter has no timestamps";
  }
  Result<PreparedPlan> prepared = context.prepare(two_step_plan(kCount));
  ASSERT_TRUE(prepared);
  const std::array sets = {operands()};
  // More passes than one submission can time.
  Result<Span> span = context.time(*prepared, sets, native::Timestamps::kPasses + 3, true);
  ASSERT_TRUE(span) << span.error().message;
  ASSERT_EQ(span->step_ms.size(), 2U);
  EXPECT_GT(span->step_ms[0], 0);
  EXPECT_GT(span->step_ms[1], 0);
  EXPECT_NEAR(span->total_ms, span->step_ms[0] + span->step_ms[1], 1e-9);
}

TEST_P(ExecuteTest, RepetitionsRotateThroughTheOperands) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(kCount));
  ASSERT_TRUE(prepared);
  const Buffer second = buffer_with(context, ramp(kCount, -1, 0));
  const std::array sets = {operands(), Context::Operands{&a, &b, &second}};
  ASSERT_TRUE(context.time(*prepared, sets, 2));
  EXPECT_EQ(contents(context, second, kCount), expected_sums(kCount, 1));
}

TEST_P(ExecuteTest, TimingWithoutOperandsOrRepetitionsIsAnError) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(kCount));
  ASSERT_TRUE(prepared);
  const std::array sets = {operands()};
  EXPECT_EQ(context.time(*prepared, {}, 1).error().argument, "operands");
  EXPECT_EQ(context.time(*prepared, sets, 0).error().argument, "repeats");
}

TEST_P(ExecuteTest, ThousandRunsKeepTheNumberOfBuffersFlat) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(kCount));
  ASSERT_TRUE(prepared);
  ASSERT_TRUE(context.run(*prepared, a, b, c));
  const LiveObjects before = context.live();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(context.run(*prepared, a, b, c));
  }
  EXPECT_EQ(context.live().buffers, before.buffers);
}

TEST_P(ExecuteTest, FreshOperandsInEveryRunLeaveNothingBehind) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(64));
  ASSERT_TRUE(prepared);
  const LiveObjects before = context.live();
  for (int i = 0; i < 100; ++i) {
    const Buffer fresh = buffer_with(context, ramp(64, 0, 0));
    ASSERT_TRUE(context.run(*prepared, a, b, fresh));
    ASSERT_EQ(contents(context, fresh, 64), expected_sums(64, 1));
  }
  EXPECT_EQ(context.live().buffers, before.buffers);
}

TEST_P(ExecuteTest, LongPlansAreSpreadOverSubmissions) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(kCount, 2, 7));
  ASSERT_TRUE(prepared);
  const std::array sets = {operands()};
  ASSERT_TRUE(context.time(*prepared, sets, 2));
  // As if a run took five seconds: then no two dispatches share a submission.
  native::Access::data(*prepared).estimate_ms = 5000;
  Result<Span> span = context.time(*prepared, sets, 3);
  ASSERT_TRUE(span) << span.error().message;
  EXPECT_GT(span->total_ms, 0);
  EXPECT_EQ(contents(context, c, kCount), expected_sums(kCount, 2));
  EXPECT_LT(native::Access::data(*prepared).estimate_ms, 1000) << "the estimate follows what was seen";
}

TEST_P(ExecuteTest, HostClockTimesWhereThereAreNoTimestamps) {
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(kCount));
  ASSERT_TRUE(prepared);
  const std::vector<native::OperandViews> sets = {
      {&native::Access::memory(a), &native::Access::memory(b), &native::Access::memory(c)}};
  native::PreparedPlanData& data = native::Access::data(*prepared);
  Result<Span> span = native::run_timed(data, sets, 10, false, nullptr);
  ASSERT_TRUE(span) << span.error().message;
  EXPECT_EQ(span->source, TimingSource::host_clock);
  EXPECT_GT(span->total_ms, 0);
  EXPECT_EQ(native::run_timed(data, sets, 10, true, nullptr).error().argument, "timestamp-query");
}

TEST_P(ExecuteTest, DeviceThatDoesNotAnswerInTimeIsATypedError) {
  ContextOptions options = options_for(GetParam());
  Context context = open(options);
  Result<Plan> plan = fma_probe({64, 1024, 4, 256});
  ASSERT_TRUE(plan);
  Result<PreparedPlan> prepared = context.prepare(*plan);
  ASSERT_TRUE(prepared) << prepared.error().message;
  Result<Buffer> sums = context.create_buffer(plan->buffers[0].bytes);
  ASSERT_TRUE(sums);
  native::Access::device(context).set_timeout(std::chrono::milliseconds(0));
  const Result<void> ran = context.run(*prepared, Buffer(), Buffer(), *sums);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::timeout) << ran.error().message;
  native::Access::device(context).set_timeout(std::chrono::minutes(2));
  EXPECT_TRUE(context.run(*prepared, Buffer(), Buffer(), *sums)) << "a slow device may answer later";
}

TEST_P(ExecuteTest, PlanOfAnotherContextIsRefused) {
  Context other = open(options_for(GetParam()));
  Result<PreparedPlan> prepared = other.prepare(add_plan(kCount));
  ASSERT_TRUE(prepared);
  EXPECT_EQ(shared_context().run(*prepared, a, b, c).error().argument, "prepared");
  PreparedPlan empty;
  EXPECT_EQ(shared_context().run(empty, a, b, c).error().argument, "prepared");
}

TEST(Timestamps, SpansThatRunBackwardsCountNowhere) {
  const std::array stamps = {0.0, 1e6, 5e6, 4e6, 7e6, 9e6};
  const std::array<std::size_t, 3> passes = {0, 1, 1};
  std::array<double, 2> step_ms{};
  EXPECT_EQ(native::add_spans(stamps, passes, step_ms), 1U);
  EXPECT_DOUBLE_EQ(step_ms[0], 1);
  EXPECT_DOUBLE_EQ(step_ms[1], 2);
}

TEST(Timestamps, TicksAreTurnedIntoNanosecondsOnce) {
  constexpr std::uint64_t kStart = (std::uint64_t{1} << 62U) + 1;  // beyond the digits of a double
  const std::array stamps = {kStart, kStart + 3, kStart - 2};
  EXPECT_EQ(native::to_nanoseconds(stamps, 40), (std::vector<double>{0, 120, -80}));
  EXPECT_EQ(native::to_nanoseconds(stamps, 1), (std::vector<double>{0, 3, -2}));
  EXPECT_TRUE(native::kWgpuCapabilities.resolves_to_ticks);
  EXPECT_FALSE(native::kDawnCapabilities.resolves_to_ticks) << "Dawn has multiplied them already";
}

TEST(Timestamps, CommonStepIsTheClocksQuantum) {
  EXPECT_EQ(native::common_step(std::array{0.0, 65536.0, 196608.0}), 65536);
  EXPECT_EQ(native::common_step(std::array{0.0, -96.0, 64.0}), 32);
  EXPECT_EQ(native::common_step(std::array{0.0, 0.0}), 0);
}

TEST_P(ExecuteTest, UncheckedShadersRunWhereTheyAreProven) {
  ContextOptions options = options_for(GetParam());
  options.unchecked_shaders = true;
  Context context = open(options);
  EXPECT_TRUE(context.unchecked_shaders());
  EXPECT_FALSE(shared_context().unchecked_shaders());
  const Buffer a = buffer_with(context, ramp(kCount, 1, 1));
  const Buffer b = buffer_with(context, ramp(kCount, 0.5F, 2));
  const Buffer c = buffer_with(context, ramp(kCount, 0, 0));
  Result<PreparedPlan> proven = context.prepare(add_plan(kCount));
  ASSERT_TRUE(proven) << proven.error().message;
  ASSERT_TRUE(context.run(*proven, a, b, c));
  EXPECT_EQ(contents(context, c, kCount), expected_sums(kCount, 1));

  Plan plan = add_plan(kCount);
  plan.shaders[0].proven_in_bounds = false;
  Result<PreparedPlan> unproven = context.prepare(plan);
  if (GetParam() == "dawn") {
    // Dawn leaves the checks out device by device: such a shader must not get there.
    ASSERT_FALSE(unproven);
    EXPECT_EQ(unproven.error().argument, "unchecked_shaders");
  } else {
    ASSERT_TRUE(unproven) << unproven.error().message;
    ASSERT_TRUE(context.run(*unproven, a, b, c));
  }
}

}  // namespace
}  // namespace wgemm
