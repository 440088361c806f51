// Measurements and the roofline.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>

#include "core/probes/probes.hpp"
#include "fixture.hpp"
#include "measure/statistics.hpp"
#include "native/context/context_impl.hpp"
#include "wgemm/measure.hpp"

namespace wgemm {
namespace {

class MeasureTest : public OnBothLibraries {};
WGEMM_ON_BOTH_LIBRARIES(MeasureTest);

TEST_P(MeasureTest, ShortPlanIsRepeatedUntilTheSpanIsLong) {
  Context& context = shared_context();
  const Buffer a = buffer_with(context, ramp(64, 0, 1));
  const Buffer b = buffer_with(context, ramp(64, 0, 1));
  const Buffer c = buffer_with(context, ramp(64, 0, 1));
  Result<PreparedPlan> prepared = context.prepare(two_step_plan(64));
  ASSERT_TRUE(prepared);
  const std::array sets = {Context::Operands{&a, &b, &c}};
  MeasureOptions options;
  options.minimum_span_ms = 100;  // no machine is so busy that one run lasts as long
  options.budget_ms = 500;
  double last = 0;
  options.progress = [&](double fraction) {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    last = fraction;
  };
  Result<Measurement> measured = measure(context, *prepared, sets, options);
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_GT(measured->ms, 0);
  EXPECT_GE(measured->samples, 1U);
  EXPECT_GT(measured->repeats, 1U);
  EXPECT_LE(measured->minimum_ms, measured->ms);
  EXPECT_GE(measured->maximum_ms, measured->ms);
  EXPECT_EQ(last, 1);
  if (measured->source == TimingSource::timestamps) {
    EXPECT_EQ(measured->step_ms.size(), 2U);
  }
}

// fault 23
TEST_P(MeasureTest, ASpanLastsForFiftyStepsOfTheClock) {
  Context context = open(options_for(GetParam()));
  native::Access::impl(context).timestamp_quantum_ns = 1e6;  // as coarse as no clock is
  const Buffer a = buffer_with(context, ramp(64, 0, 1));
  const Buffer c = buffer_with(context, ramp(64, 0, 0));
  Result<PreparedPlan> prepared = context.prepare(two_step_plan(64));
  ASSERT_TRUE(prepared);
  const std::array sets = {Context::Operands{&a, &a, &c}};
  MeasureOptions options;
  options.minimum_span_ms = 0;
  options.budget_ms = 0;  // the first span that is long enough is the sample
  Result<Measurement> measured = measure(context, *prepared, sets, options);
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_GE(measured->ms * measured->repeats, 49.9) << measured->repeats << " repetitions";
}

TEST_P(MeasureTest, LongPlanIsSampledAtLeastOnce) {
  Context& context = shared_context();
  Result<Plan> plan = fma_probe({64, 64, 4, 64});
  ASSERT_TRUE(plan);
  Result<PreparedPlan> prepared = context.prepare(*plan);
  ASSERT_TRUE(prepared) << prepared.error().message;
  Result<Buffer> sums = context.create_buffer(plan->buffers[0].bytes);
  ASSERT_TRUE(sums);
  const std::array sets = {Context::Operands{nullptr, nullptr, &*sums}};
  MeasureOptions options;
  options.budget_ms = 0;
  options.minimum_span_ms = 0;
  Result<Measurement> measured = measure(context, *prepared, sets, options);
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_EQ(measured->samples, 1U);
  EXPECT_FALSE(measured->spread_reached);
}

TEST_P(MeasureTest, RooflineIsQuickAndPlausible) {
  Context& context = shared_context();
  const auto start = std::chrono::steady_clock::now();
  Result<Roofline> roofline = measure_roofline(context);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(roofline) << roofline.error().message;
  EXPECT_GT(roofline->bytes_per_second, 1e8);
  EXPECT_GT(roofline->flops_per_second, 1e9);
  EXPECT_GT(roofline->empty_dispatch_ms, 0);
  EXPECT_LT(took.count(), 20) << "three seconds on an idle machine";
  EXPECT_EQ(roofline->attainable(1e9), roofline->flops_per_second);
  EXPECT_DOUBLE_EQ(roofline->attainable(1e-3), roofline->bytes_per_second * 1e-3);
}

TEST_P(MeasureTest, CopyProbeCopies) {
  Context& context = shared_context();
  constexpr std::size_t kCount = 4012;
  Result<Plan> plan = copy_probe({kCount * sizeof(float), 64, 3});
  ASSERT_TRUE(plan);
  Result<PreparedPlan> prepared = context.prepare(*plan);
  ASSERT_TRUE(prepared) << prepared.error().message;
  const Buffer source = buffer_with(context, ramp(kCount, 1, 1));
  const Buffer target = buffer_with(context, ramp(kCount, 0, 0));
  ASSERT_TRUE(context.run(*prepared, source, Buffer(), target));
  EXPECT_EQ(contents(context, target, kCount), ramp(kCount, 1, 1));
}

TEST_P(MeasureTest, FmaProbeRunsEveryRound) {
  Context& context = shared_context();
  constexpr std::size_t kFloats = 512;  // 128 invocations, a vec4 each
  Result<Plan> plan = fma_probe({64, 2, 4, 1});
  ASSERT_TRUE(plan);
  Result<PreparedPlan> prepared = context.prepare(*plan);
  ASSERT_TRUE(prepared) << prepared.error().message;
  const Buffer sums = buffer_with(context, ramp(kFloats, 0, 0));
  ASSERT_TRUE(context.run(*prepared, Buffer(), Buffer(), sums));
  // Sixteen links bring each chain from its start s to 1 + (s - 1) * 0.75^16.
  const float rest = std::pow(0.75F, 16.0F);
  const std::vector<float> result = contents(context, sums, kFloats);
  for (std::size_t i = 0; i < result.size(); ++i) {
    float expected = 0;
    for (int chain = 0; chain < 4; ++chain) {
      expected += 1 + (static_cast<float>(i / 4 % 8) + static_cast<float>(chain) - 1) * rest;
    }
    ASSERT_NEAR(result[i], expected, 1e-5) << i;
  }
}

TEST(Statistics, SummaryIsRobustAgainstOutliers) {
  const measuring::Summary summary = measuring::summarise({3, 1, 2, 100, 4});
  EXPECT_EQ(summary.median, 3);
  EXPECT_EQ(summary.minimum, 1);
  EXPECT_EQ(summary.maximum, 100);
  EXPECT_DOUBLE_EQ(summary.spread, 2.0 / 3);
}

TEST(Statistics, OneSampleHasNoSpread) {
  EXPECT_EQ(measuring::summarise({5}).median, 5);
  EXPECT_EQ(measuring::summarise({5}).spread, 0);
}

TEST(LaneOrder, IsDescribedInWords) {
  std::vector<std::uint32_t> x_first(512);
  std::vector<std::uint32_t> blocks(512);
  for (std::size_t i = 0; i < 256; ++i) {
    const auto x = static_cast<std::uint32_t>(i) % 16;
    const auto y = static_cast<std::uint32_t>(i) / 16;
    x_first[2 * i] = (16 * y + x) % 32;
    x_first[2 * i + 1] = (16 * y + x) / 32 * 32;
    blocks[2 * i] = x % 4 + 4 * (y % 2);
    blocks[2 * i + 1] = x / 4 * 4 + y / 2 * 2 * 16;
  }
  EXPECT_EQ(describe_lane_order(x_first),
            "lanes run along x first: 32 lanes cover 16 x 2 invocations of a 16 x 16 workgroup");
  EXPECT_EQ(
      describe_lane_order(blocks),
      "lanes run in an order of the driver's own: 8 lanes cover 4 x 2 invocations of a 16 x 16 workgroup");
}

}  // namespace
}  // namespace wgemm
