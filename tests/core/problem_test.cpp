#include "wgemm/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/core/devices.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::problem;

constexpr std::uint64_t kTwoTo32 = 1ULL << 32U;

TEST(ProblemSizes, OfZeroGiveAPlanThatDoesWhatIsLeft) {
  for (const auto& nothing : {problem(0, 1, 1), problem(1, 0, 1), problem(0, 0, 0)}) {
    const auto plan = make_plan(nothing, DeviceProfile{});
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_TRUE(plan->steps.empty());
  }
  const auto plan = make_plan(problem(2, 3, 0), DeviceProfile{});
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->steps.size(), 1U);
  EXPECT_EQ(plan->steps.front().kind, StepKind::reduce);
}

TEST(ProblemSizes, FitThirtyTwoBits) {
  const std::pair<Problem, const char*> large[] = {
      {problem(kTwoTo32, 1, 1), "m"}, {problem(1, kTwoTo32, 1), "n"}, {problem(1, 1, kTwoTo32), "k"}};
  for (const auto& [each, argument] : large) {
    const auto done = validate(each);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().argument, argument);
  }
}

TEST(ProblemSizes, IndicesOfElementsMayPassThirtyTwoBitsButNotWrap) {
  for (const auto& each : {problem(65536, 1, 65536), problem(1, 65536, 65536), problem(65536, 65536, 1)}) {
    EXPECT_TRUE(validate(each)) << describe(each);
  }
  // Products that wrap past 2^64 must not come out small.
  const auto done = validate(problem(4294967295, 4294967295, 1));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(done.error().argument, "ldc");
  auto wide = problem(2, 2, 2);
  wide.b.ld = ~0ULL;
  ASSERT_FALSE(validate(wide));
  EXPECT_EQ(validate(wide).error().argument, "ldb");
}

TEST(ProblemSizes, AMatrixBeyondTheLargestBufferIsRefusedBeforeAnyDispatch) {
  auto device = *find_profile("h200");
  device.limits.max_buffer_size = 4294967292;
  const auto plan = make_plan(problem(104, 10342400, 1), device);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::unsupported);
  EXPECT_EQ(plan.error().argument, "maxBufferSize");
  EXPECT_THAT(plan.error().message, AllOf(HasSubstr("4302438400"), HasSubstr("4294967292")));
}

TEST(LeadingDimension, IsNoShorterThanARow) {
  struct Case {
    Order order;
    std::uint64_t least;  // for 3 rows of 5 columns
  };
  for (const auto& [order, least] : {Case{Order::row_major, 5}, Case{Order::col_major, 3}}) {
    for (const auto* argument : {"lda", "ldb", "ldc"}) {
      auto each = problem(3, 5, 5);
      each.b = {DataType::f32, Order::row_major, 0};
      if (argument == std::string_view("ldb")) each = problem(5, 5, 3);
      auto& layout = argument == std::string_view("lda")   ? each.a
                     : argument == std::string_view("ldb") ? each.b
                                                           : each.c;
      layout.order = order;
      layout.ld = least;
      EXPECT_TRUE(validate(each)) << argument;
      layout.ld = least - 1;
      const auto done = validate(each);
      ASSERT_FALSE(done) << argument;
      EXPECT_EQ(done.error().code, ErrorCode::invalid_argument);
      EXPECT_EQ(done.error().argument, argument);
    }
  }
}

TEST(LeadingDimension, IsTightWhereNoneIsGiven) {
  EXPECT_EQ(leading_dimension({DataType::f32, Order::row_major, 0}, 3, 5), 5U);
  EXPECT_EQ(leading_dimension({DataType::f32, Order::col_major, 0}, 3, 5), 3U);
  EXPECT_EQ(leading_dimension({DataType::f32, Order::row_major, 9}, 3, 5), 9U);
}

TEST(SizeInBytes, EndsBehindTheLastElement) {
  EXPECT_EQ(size_in_bytes({DataType::f32, Order::row_major, 0}, 3, 5), 60U);
  EXPECT_EQ(size_in_bytes({DataType::f32, Order::row_major, 8}, 3, 5), (8U + 8U + 5U) * 4U);
  EXPECT_EQ(size_in_bytes({DataType::f16, Order::col_major, 4}, 3, 5), (4U * 4U + 3U) * 2U);
}

TEST(Problem, ValuesOfNoEnumerationAreNamed) {
  constexpr std::uint8_t kNone = 77;
  const std::vector<std::pair<std::string, std::function<void(Problem&)>>> mistakes{
      {"a.type", [](Problem& p) { p.a.type = static_cast<DataType>(kNone); }},
      {"b.order", [](Problem& p) { p.b.order = static_cast<Order>(kNone); }},
      {"trans_b", [](Problem& p) { p.trans_b = static_cast<Transpose>(kNone); }},
      {"accumulate", [](Problem& p) { p.accumulate = static_cast<Accumulate>(kNone); }},
      {"quantization.scale_type",
       [](Problem& p) { p.quantization.scale_type = static_cast<DataType>(kNone); }},
      {"epilogue.bias", [](Problem& p) { p.epilogue.bias = static_cast<Bias>(kNone); }},
      {"epilogue.activation", [](Problem& p) { p.epilogue.activation = static_cast<Activation>(kNone); }},
      {"epilogue.residual.type",
       [](Problem& p) { p.epilogue.residual.type = static_cast<DataType>(kNone); }}};
  for (const auto& [argument, make] : mistakes) {
    auto wrong = problem(2, 3, 4);
    make(wrong);
    const auto done = validate(wrong);
    ASSERT_FALSE(done) << argument;
    EXPECT_EQ(done.error().argument, argument);
  }
}

TEST(Problem, BatchRankIsLookedAtBeforeItIsCounted) {
  auto wrong = problem(3, 8, 40);
  wrong.b.type = DataType::u4;
  wrong.trans_b = Transpose::transpose;
  wrong.quantization.block = 16;
  wrong.batch.rank = 288;
  EXPECT_EQ(validate(wrong).error().argument, "batch.rank");
}

TEST(Problem, OffsetBeyondAllBuffersIsNamed) {
  auto wrong = problem(2, 3, 4);
  wrong.a.offset = ~std::uint64_t{0};
  EXPECT_EQ(validate(wrong).error().argument, "a.offset");
}

TEST(Planner, OptionsThatAreNoneAreNamed) {
  for (const double flops : {-1.0, std::nan("")}) {
    const auto plan = make_plan(problem(2, 3, 4), DeviceProfile{}, {.max_dispatch_flops = flops});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().argument, "max_dispatch_flops");
  }
}

TEST(Types, OperandsHaveOne) {
  auto each = problem(4, 4, 4);
  each.b.type = DataType::f16;
  const auto done = validate(each);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().argument, "b.type");
  each.a.type = DataType::f16;
  EXPECT_TRUE(validate(each)) << "f16 operands, f32 result";
  each.c.type = DataType::f16;
  EXPECT_TRUE(validate(each));
}

// faults 21 and 34
TEST(Types, F16LiesInWordsOnADeviceWithoutShaderF16) {
  auto each = problem(5, 3, 4);
  each.a.type = each.b.type = each.c.type = DataType::f16;
  const auto plan = make_plan(each, *find_profile("minimum"));
  ASSERT_TRUE(plan) << plan.error().message;
  for (const auto& shader : plan->shaders) {
    EXPECT_FALSE(shader.needs_f16);
    EXPECT_EQ(shader.wgsl.find("f16;"), std::string::npos);
    EXPECT_NE(shader.wgsl.find("atomicOr"), std::string::npos)
        << "halves of a word belong to different invocations";
  }
}

TEST(Types, SumsInF16NeedTheFeature) {
  auto each = problem(4, 4, 4);
  each.a.type = each.b.type = DataType::f16;
  each.accumulate = Accumulate::f16;
  const auto refused = make_plan(each, *find_profile("minimum"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_EQ(refused.error().argument, "shader-f16");
  const auto plan = make_plan(each, *find_profile("lavapipe"), {"tiled", EdgePolicy::checked, 1});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_NE(plan->shaders[0].wgsl.find("var sum0: f16"), std::string::npos);
  const auto matrix = make_plan(each, *find_profile("emulated"), {"subgroup-matrix", EdgePolicy::checked, 1});
  ASSERT_FALSE(matrix);
  EXPECT_EQ(matrix.error().argument, "kernel");
}

TEST(Types, KernelsThatCannotReadThemRefuseThemByName) {
  auto bytes = problem(4, 4, 4);
  bytes.a.type = DataType::u8;
  bytes.b.type = DataType::i8;
  const auto matrix =
      make_plan(bytes, *find_profile("emulated"), {"subgroup-matrix", EdgePolicy::checked, 1});
  ASSERT_FALSE(matrix);
  EXPECT_EQ(matrix.error().code, ErrorCode::unsupported);
  EXPECT_NE(matrix.error().message.find("subgroup-matrix_"), std::string::npos);
  const auto floats =
      make_plan(problem(4, 4, 4), *find_profile("lavapipe"), {"packed-dot", EdgePolicy::checked, 1});
  ASSERT_FALSE(floats);
  EXPECT_EQ(floats.error().code, ErrorCode::unsupported);
  auto weights = problem(4, 4, 64);
  weights.b = {DataType::u4, Order::col_major, 0};
  weights.quantization.block = 32;
  const auto quantised =
      make_plan(weights, *find_profile("emulated"), {"subgroup-matrix", EdgePolicy::checked, 1});
  ASSERT_FALSE(quantised);
  EXPECT_EQ(quantised.error().argument, "kernel");
}

TEST(Describe, SaysSizesTypesAndOrders) {
  auto each = problem(256, 128, 64);
  EXPECT_EQ(describe(each), "256x128x64 f32 rrr");
  each.b.order = Order::col_major;
  each.a.type = each.b.type = DataType::f16;
  EXPECT_EQ(describe(each), "256x128x64 f16->f32 rcr");
  each.c = {DataType::f16, Order::col_major, 0};
  EXPECT_EQ(describe(each), "256x128x64 f16 rcc");
}

TEST(Flops, AreCountedWithoutWrapping) { EXPECT_EQ(problem(65536, 65536, 65536).flops(), 562949953421312.0); }

}  // namespace
}  // namespace wgemm
