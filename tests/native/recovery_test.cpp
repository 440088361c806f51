// What goes wrong on a device, stage by stage: a typed error each time, and a context that works afterwards.
#include <gtest/gtest.h>

#include <thread>

#include "core/probes/probes.hpp"
#include "fixture.hpp"
#include "native/context/context_impl.hpp"

namespace wgemm {
namespace {

class RecoveryTest : public OnBothLibraries {};
WGEMM_ON_BOTH_LIBRARIES(RecoveryTest);

using InjectError = void (*)(WGPUDevice, WGPUErrorType, WGPUStringView);

/// A context with a plan that works, ready to lose its device.
struct Stage {
  explicit Stage(const std::string& library)
      : context(open(options_for(library))),
        prepared(context.prepare(two_step_plan(64)).value()),
        a(buffer_with(context, ramp(64, 0, 1))),
        c(buffer_with(context, ramp(64, 0, 0))) {}

  Context context;
  PreparedPlan prepared;
  Buffer a;
  Buffer c;
};

void expect_lost(const Result<void>& result, const char* stage) {
  ASSERT_FALSE(result) << stage;
  EXPECT_EQ(result.error().code, ErrorCode::device_lost) << stage << ": " << result.error().message;
}

template <typename T>
Result<void> outcome(const Result<T>& result) {
  return result ? Result<void>() : tl::unexpected(result.error());
}

TEST_P(RecoveryTest, LossBeforeEachStageIsThatStagesError) {
  const std::vector<float> values = {1, 2, 3, 4};
  std::vector<std::byte> bytes(16);
  const std::vector<std::pair<const char*, std::function<Result<void>(Stage&)>>> stages = {
      {"create", [](Stage& s) { return outcome(s.context.create_buffer(64)); }},
      {"plan", [](Stage& s) { return outcome(s.context.plan(Problem{4, 4, 4})); }},
      {"compile", [](Stage& s) { return outcome(s.context.prepare(add_plan(32))); }},
      {"upload", [&](Stage& s) { return s.context.upload(s.a, 0, std::as_bytes(std::span(values))); }},
      {"submit", [](Stage& s) { return s.context.run(s.prepared, s.a, s.a, s.c); }},
      {"map", [&](Stage& s) { return s.context.download(s.c, 0, bytes); }},
      {"time",
       [](Stage& s) {
         const std::array sets = {Operands{&s.a, &s.a, &s.c}};
         return outcome(s.context.time(s.prepared, sets, 2));
       }},
      {"product", [&](Stage& s) { return outcome(s.context.matmul(2, 2, 2, values, values)); }},
      {"task", [](Stage& s) { return s.context.run_async(s.prepared, {&s.a, &s.a, &s.c}).get(); }},
      {"list", [](Stage& s) { return outcome(s.context.prepare_async({add_plan(16)}).get()); }},
  };
  for (const auto& [name, call] : stages) {
    Stage stage(GetParam());
    lose(stage.context);
    expect_lost(call(stage), name);
    expect_lost(call(stage), name);
  }
}

TEST_P(RecoveryTest, LossDuringWorkIsAnErrorAndNothingHangs) {
  Context context = open(options_for(GetParam()));
  Result<PreparedPlan> prepared = context.prepare(fma_probe({64, 1024, 4, 256}).value());
  ASSERT_TRUE(prepared) << prepared.error().message;
  Result<Buffer> sums = context.create_buffer(prepared->plan().buffers[0].bytes);
  ASSERT_TRUE(sums);
  Task<void> task = context.run_async(*prepared, {nullptr, nullptr, &*sums});
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  lose(context);
  const Result<void> result = task.get();
  // The work may be done before the loss.
  EXPECT_TRUE(result || result.error().code == ErrorCode::device_lost) << result.error().message;
  EXPECT_EQ(context.create_buffer(4).error().code, ErrorCode::device_lost);
}

TEST_P(RecoveryTest, ReopenedContextWorksAndRefusesWhatIsOld) {
  Stage stage(GetParam());
  ASSERT_TRUE(stage.context.run(stage.prepared, stage.a, stage.a, stage.c));
  lose(stage.context);
  EXPECT_EQ(stage.context.create_buffer(4).error().code, ErrorCode::device_lost);
  const Result<void> reopened = stage.context.reopen();
  ASSERT_TRUE(reopened) << reopened.error().message;
  EXPECT_EQ(stage.context.profile().library, GetParam());
  EXPECT_EQ(stage.context.options().webgpu, GetParam());
  EXPECT_EQ(stage.context.run(stage.prepared, stage.a, stage.a, stage.c).error().argument, "prepared");
  Result<PreparedPlan> again = stage.context.prepare(two_step_plan(64));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(stage.context.run(*again, stage.a, stage.a, stage.c).error().argument, "a");
  const std::vector<float> a = {1, 2, 3, 4};
  const Result<std::vector<float>> c = stage.context.matmul(2, 2, 2, a, a);
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_EQ(*c, (std::vector<float>{7, 10, 15, 22}));
}

TEST(Recovery, InjectedErrorsOfDawnAreTypedAndPass) {
  Stage stage("dawn");
  native::Device& device = native::Access::device(stage.context);
  auto* inject = reinterpret_cast<InjectError>(device.library().symbol("wgpuDeviceInjectError"));
  ASSERT_NE(inject, nullptr);
  const std::array kinds = {std::pair(WGPUErrorType_OutOfMemory, ErrorCode::out_of_memory),
                            std::pair(WGPUErrorType_Validation, ErrorCode::validation)};
  for (const auto& [type, code] : kinds) {
    inject(device.get(), type, {"a test", WGPU_STRLEN});
    const Result<void> ran = stage.context.run(stage.prepared, stage.a, stage.a, stage.c);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, code) << ran.error().message;
    EXPECT_NE(ran.error().message.find(stage.prepared.plan().kernel), std::string::npos);
    EXPECT_TRUE(stage.context.run(stage.prepared, stage.a, stage.a, stage.c)) << "the next call works";
  }
}

TEST_P(RecoveryTest, ProductsThatComeAgainKeepEveryCountFlat) {
  Context context = open(options_for(GetParam()));
  const std::vector<float> a = ramp(64, 0, 1);
  const auto rounds = [&](int count) {
    for (int i = 0; i < count; ++i) {
      // Sizes that come again in another order.
      const std::uint64_t size = 2 + static_cast<std::uint64_t>(i * 5 % 7);
      const std::span<const float> matrix = std::span(a).first(size * size);
      ASSERT_TRUE(context.matmul(size, size, size, matrix, matrix));
    }
  };
  rounds(40);
  const LiveObjects before = context.live();
  EXPECT_GT(before.pipelines, 0U);
  EXPECT_GT(before.bind_groups, 0U);
  rounds(1000);
  const LiveObjects after = context.live();
  EXPECT_EQ(after.buffers, before.buffers);
  EXPECT_EQ(after.bytes, before.bytes);
  EXPECT_EQ(after.pipelines, before.pipelines);
  EXPECT_LE(after.bind_groups, before.bind_groups + std::uint64_t{32} * 7) << "bounded by what plans keep";
  rounds(1000);
  EXPECT_EQ(context.live(), after);
  context.trim();
  EXPECT_EQ(context.live().pooled_bytes, 0U);
  EXPECT_EQ(context.live().bind_groups, 0U);
}

TEST_P(RecoveryTest, PooledMemoryStaysUnderItsCap) {
  ContextOptions options = options_for(GetParam());
  options.pooled_bytes = 4096;
  Context context = open(options);
  for (const std::uint32_t count : {100U, 500U, 1000U, 2000U, 300U}) {
    Result<PreparedPlan> prepared = context.prepare(two_step_plan(count));
    ASSERT_TRUE(prepared);
    const Buffer a = buffer_with(context, ramp(count, 0, 1));
    const Buffer c = buffer_with(context, ramp(count, 0, 0));
    ASSERT_TRUE(context.run(*prepared, a, a, c));
    EXPECT_LE(context.live().pooled_bytes, options.pooled_bytes) << count;
  }
}

TEST_P(RecoveryTest, PlansShareScratchMemory) {
  Context context = open(options_for(GetParam()));
  const Buffer a = buffer_with(context, ramp(1000, 0, 1));
  const Buffer c = buffer_with(context, ramp(1000, 0, 0));
  std::vector<PreparedPlan> plans;
  std::uint64_t after_first = 0;
  for (std::uint32_t i = 0; i < 5; ++i) {
    Result<PreparedPlan> prepared = context.prepare(two_step_plan(1000 - i));
    ASSERT_TRUE(prepared);
    plans.push_back(*prepared);
    ASSERT_TRUE(context.run(plans.back(), a, a, c));
    if (i == 0) {
      after_first = context.live().pooled_bytes;
    }
  }
  EXPECT_EQ(context.live().pooled_bytes, after_first);
}

}  // namespace
}  // namespace wgemm
