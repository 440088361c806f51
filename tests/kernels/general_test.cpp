// Single cases of the whole problem, C <- act(alpha op(A) op(B) + beta C + bias) + residual; the fuzzer draws
// the rest.
#include <gmock/gmock.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/kernels/adapter_test.hpp"

namespace wgemm::tests {
namespace {

class GeneralTest : public AdapterTest {
 protected:
  static void expect_right(const Problem& problem, const PlanOptions& options) {
    tests::expect_right(problem, Setting::standard, options);
  }
};

// fault 28
TEST_F(GeneralTest, SizesOfZeroAreProblemsToo) {
  for (const auto& problem : {Problem{0, 5, 3}, Problem{5, 0, 3}, Problem{0, 0, 0}})
    expect_right(problem, {});
  Problem none{3, 4, 5};
  none.batch.rank = 1;
  none.batch.c[0] = 12;
  expect_right(none, {});
  for (const float beta : {0.0F, 1.0F}) {
    Problem problem{5, 3, 0};
    problem.beta = beta;
    problem.epilogue.bias = Bias::per_column;
    expect_right(problem, {});
  }
}

// fault 6
TEST_F(GeneralTest, BroadcastBatchesTakeTheirOwnMatrices) {
  Problem problem{3, 3, 3};  // A[2,4,3,3] x B[4,3,3]
  problem.batch.rank = 2;
  problem.batch.extents = {2, 4};
  problem.batch.a = {36, 9};
  problem.batch.b = {0, 9};
  problem.batch.c = {36, 9};
  expect_right(problem, {});
  problem = Problem{2, 6, 4};  // A[3,1,2,4] x B[1,5,4,6]
  problem.batch.rank = 2;
  problem.batch.extents = {3, 5};
  problem.batch.a = {8, 0};
  problem.batch.b = {0, 24};
  problem.batch.c = {60, 12};
  expect_right(problem, {});
}

// fault 9
TEST_F(GeneralTest, MoreProductsThanADimensionHasWorkgroups) {
  Problem problem{1, 1, 4};
  problem.batch.rank = 1;
  problem.batch.extents = {65536 + 3};
  problem.batch.a = {4};
  problem.batch.b = {4};
  problem.batch.c = {1};
  expect_right(problem, {});
}

// fault 26
TEST_F(GeneralTest, ASplitGivesTheSameBitsOnEveryRun) {
  const Problem problem{17, 9, 1000};
  PlanOptions options;
  options.kernel = "tiled_TILE8";
  std::vector<float> a(problem.m * problem.k);
  std::vector<float> b(problem.k * problem.n);
  std::mt19937_64 draw(5);
  for (auto* matrix : {&a, &b}) {
    for (auto& value : *matrix)
      value = static_cast<float>(static_cast<double>(draw() >> 11U) * 0x1p-52 - 1.0);
  }
  auto& context = *Bench::get().context(Setting::standard);
  // Few parts are added one after the other, many by several invocations.
  for (const auto parts : {5U, 8U, 19U}) {
    options.split_k = parts;
    expect_right(problem, options);
    std::vector<float> first(problem.m * problem.n);
    std::vector<float> again(first.size());
    for (int run = 0; run < 20; ++run) {
      auto& c = run == 0 ? first : again;
      const auto done = context.multiply(problem, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)),
                                         std::as_writable_bytes(std::span(c)), options);
      ASSERT_TRUE(done);
      if (run > 0) {
        ASSERT_EQ(first, again) << parts << " parts, run " << run;
      }
    }
  }
}

// fault 27
TEST_F(GeneralTest, ALargeBiasLandsInItsRowOrColumn) {
  for (const auto bias : {Bias::per_row, Bias::per_column}) {
    Problem problem{7, 5, 3};
    problem.epilogue.bias = bias;
    std::vector<float> a(21, 1.0F), b(15, 1.0F), c(35), values(bias == Bias::per_row ? 7 : 5);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1000.0F * static_cast<float>(i + 1);
    auto& context = *Bench::get().context(Setting::standard);
    const auto done = context.multiply(problem, Context::HostOperands{std::as_bytes(std::span(a)),
                                                                      std::as_bytes(std::span(b)),
                                                                      std::as_writable_bytes(std::span(c)),
                                                                      std::as_bytes(std::span(values)),
                                                                      {}});
    ASSERT_TRUE(done) << done.error().message;
    for (std::size_t row = 0; row < 7; ++row) {
      for (std::size_t col = 0; col < 5; ++col) {
        EXPECT_EQ(c[row * 5 + col], 3.0F + values[bias == Bias::per_row ? row : col]);
      }
    }
  }
}

TEST_F(GeneralTest, RefusesWhatNoDeviceCouldDo) {
  Problem shared{2, 2, 2};
  shared.batch.rank = 1;
  shared.batch.extents = {2};
  const auto broadcast_c = validate(shared);
  ASSERT_FALSE(broadcast_c);
  EXPECT_EQ(broadcast_c.error().argument, "batch.c");
  Problem clamped{2, 2, 2};
  clamped.epilogue.activation = Activation::clamp;
  clamped.epilogue.lower = 1;
  const auto empty_interval = validate(clamped);
  ASSERT_FALSE(empty_interval);
  EXPECT_EQ(empty_interval.error().argument, "epilogue.lower");
}

}  // namespace
}  // namespace wgemm::tests
