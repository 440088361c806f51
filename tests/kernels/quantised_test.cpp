// Products with quantised weights, on the adapter: every code, with and without zero points.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/kernels/adapter_test.hpp"
#include "tests/kernels/typed_problems.hpp"
#include "verify/elements.hpp"

namespace wgemm::tests {
namespace {

class QuantisedTest : public AdapterTest {};

constexpr auto kF16 = DataType::f16;

TEST_F(QuantisedTest, WeightsOfEveryCode) {
  std::size_t turn = 0;
  for (const auto code : {DataType::u4, DataType::i4, DataType::u8, DataType::i8}) {
    for (const bool zeros : {false, true}) {
      ++turn;
      const bool half = turn % 2 == 0 && Bench::get().profile(Setting::standard).shader_f16;
      auto problem = of_types(Problem{7, 13, turn % 3 == 0 ? 48U : 41U}, half ? kF16 : DataType::f32, code,
                              DataType::f32);
      problem.b.order = Order::col_major;
      problem.quantization = {16, turn % 3 == 1 ? kF16 : DataType::f32, zeros};
      expect_right_everywhere(problem, {kernel_of(turn)});
      problem.c.order = Order::col_major;  // A and B change places
      problem.b = {code, Order::row_major, 80, 32};
      problem.trans_b = Transpose::transpose;
      problem.a.order = Order::col_major;
      expect_right_everywhere(problem, {kernel_of(turn + 2), EdgePolicy::checked, 2});
      if (turn % 2 == 0) continue;
      problem.epilogue.bias = Bias::per_column;
      expect_right_everywhere(problem, {kernel_of(turn + 1), EdgePolicy::padded}, Setting::minimum);
      if (HasFailure()) return;
    }
  }
}

TEST_F(QuantisedTest, WeightsOfOneRowAndOfABatch) {
  for (const std::uint32_t block : {32U, 128U}) {
    auto problem = of_types(Problem{1, 70, 260}, DataType::f32, DataType::u4, DataType::f32);
    problem.b.order = Order::col_major;
    problem.quantization = {block, kF16, true};
    expect_right_everywhere(problem, {});
    expect_right_everywhere(problem, {}, Setting::minimum);
    problem.m = 33;
    problem.batch.rank = 1;
    problem.batch.extents = {2};
    problem.batch.a = {8580};
    problem.batch.c = {2310};
    expect_right_everywhere(problem, {});
    problem.batch = {};
    problem.batch.table = {{8580, 0, 0, 0}, {0, 0, 2310, 0}};
    expect_right_everywhere(problem, {"", EdgePolicy::checked, 2});
  }
}

// skinny-k takes them by the word, of which half may lie beyond k.
TEST_F(QuantisedTest, WeightsOfFourBitsByTheWord) {
  for (const auto code : {DataType::u4, DataType::i4}) {
    for (const bool zeros : {false, true}) {
      for (const std::uint64_t k : {1, 4, 44, 61, 128}) {
        auto problem = of_types(Problem{1, 8, k}, DataType::f32, code, DataType::f32);
        problem.b.order = Order::col_major;
        problem.quantization = {16, zeros ? kF16 : DataType::f32, zeros};
        expect_right_everywhere(problem, {"skinny-k_TM1_TN2_LANES8_GROUPS4"});
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(QuantisedTest, WeightsThatABatchSharesAreCopiedOnceForAll) {
  auto problem = of_types(Problem{7, 13, 41}, DataType::f32, DataType::u4, DataType::f32);
  problem.b = {DataType::u4, Order::col_major, 64, 16};
  problem.quantization = {16, kF16, true};
  for (std::size_t turn = 0; turn < 4; ++turn) {
    problem.batch = {};
    if (turn % 2 == 0) {
      problem.batch.rank = 2;
      problem.batch.extents = {2, 3};
      problem.batch.a = {0, 300};
      problem.batch.c = {300, 100};
    } else {
      problem.batch.table = {{300, 0, 100, 0}, {0, 0, 0, 0}};
    }
    problem.c.order = static_cast<Order>(turn / 2);  // A and B change places
    PlanOptions options{kernel_of(turn + 1), EdgePolicy::padded};
    expect_right_everywhere(problem, options);
    options.edges = EdgePolicy::checked;
    options.dequantise = true;
    options.split_k = 2;
    expect_right_everywhere(problem, options, turn % 2 == 0 ? Setting::minimum : Setting::standard);
    if (HasFailure()) return;
  }
}

TEST_F(QuantisedTest, WeightsAreDequantisedIntoF16ForSumsInF16) {
  if (!Bench::get().profile(Setting::standard).shader_f16) GTEST_SKIP() << "the adapter has no shader-f16";
  auto problem = of_types(Problem{7, 13, 48}, kF16, DataType::i8, DataType::f32);
  problem.b.order = Order::col_major;
  problem.quantization = {16, DataType::f32, true};
  problem.accumulate = Accumulate::f16;
  PlanOptions options{"coalesced_WX8_WY8"};
  for (const bool first : {false, true}) {
    options.dequantise = first;
    expect_right_everywhere(problem, options);
  }
}

// fault 18: what is f32 is not narrowed through halfs on the way.
TEST_F(QuantisedTest, ScalesOfF16DoNotNarrowAnAOfF32) {
  auto problem = of_types(Problem{1, 1, 16}, DataType::f32, DataType::i8, DataType::f32);
  problem.b.order = Order::col_major;
  problem.quantization = {16, kF16, false};
  std::vector<std::byte> a(64), b(16), c(4), scales(2);
  verify::write_element(DataType::f32, a, 3, 70001);
  for (std::uint64_t k = 0; k < 16; ++k) verify::write_element(DataType::i8, b, k, 1);
  verify::write_element(kF16, scales, 0, 1);
  for (const auto& kernel : kernels()) {
    ASSERT_TRUE(
        Bench::get().context(Setting::standard)->multiply(problem, {a, b, c, {}, {}, scales, {}}, {kernel}));
    EXPECT_EQ(verify::read_element(DataType::f32, c, 0), 70001) << kernel;
  }
}

}  // namespace
}  // namespace wgemm::tests
