// Types and batches by table, on the adapter: every kind of operand with kernels of every kind.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/kernels/adapter_test.hpp"
#include "tests/kernels/typed_trial.hpp"

namespace wgemm::tests {
namespace {

using Values = TypedTrial::Values;

class TypesTest : public AdapterTest {
 protected:
  static void expect_right(const Problem& problem, const PlanOptions& options,
                           Setting setting = Setting::standard,
                           const std::vector<Values>& all = {Values::integers, Values::random}) {
    auto* const context = Bench::get().context(setting);
    ASSERT_NE(context, nullptr) << Bench::get().problem();
    for (const auto values : all) {
      TypedTrial(problem, values, 7).run(*context, options);
      if (HasFatalFailure()) return;
    }
  }
};

Problem sized(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  return problem;
}

/// Small configurations of each way in which kernels read: elements, vectors along k, vectors. Drivers take
/// long to compile a text, so that tests go through kinds of operands with one kernel after the other, not
/// with all of them.
const std::vector<std::string>& kernels() {
  static const std::vector<std::string> all{"coalesced_WX8_WY8", "vec4_BM8_BN16_BK8_TM2_TN4", "tiled_TILE8",
                                            "register-tile_BM16_BN16_BK4_TM4_TN4",
                                            "skinny-k_TM4_TN2_LANES8_GROUPS4"};
  return all;
}

const std::string& kernel_of(std::size_t turn) { return kernels()[turn % kernels().size()]; }

/// Products whose matrices lie in any order, some of them shared; C are blocks of one larger matrix.
Problem scattered() {
  auto problem = sized(5, 8, 12);
  problem.c.ld = 24;
  problem.a.offset = 4;
  for (const std::uint64_t i : {5, 0, 3, 1, 4, 2}) {
    problem.batch.table.push_back({i % 3 * 64, 400 - i * 76, i / 3 * 120 + i % 3 * 8, i * 44});
  }
  return problem;
}

TEST_F(TypesTest, BatchesByTableTakeTheMatricesThatItNames) {
  for (std::size_t turn = 0; turn < 6; ++turn) {
    PlanOptions options{kernel_of(turn), turn % 2 == 0 ? EdgePolicy::checked : EdgePolicy::padded,
                        static_cast<std::uint32_t>(1 + turn / 2 % 2)};
    auto problem = scattered();
    problem.beta = 2;
    problem.epilogue.add_residual = true;
    problem.epilogue.residual.order = Order::col_major;
    if (turn >= 3) {  // then A and B change places
      problem.c.order = Order::col_major;
      problem.c.ld = 0;
      for (std::size_t i = 0; i < problem.batch.table.size(); ++i) problem.batch.table[i].c = 41 * i;
    }
    expect_right(problem, options);
    if (HasFatalFailure()) return;
  }
}

// fault 9
TEST_F(TypesTest, TablesLongerThanADimensionOfWorkgroups) {
  auto problem = sized(1, 1, 4);
  for (std::uint64_t i = 0; i < 65536 + 3; ++i) problem.batch.table.push_back({i * 7 % 1000, i % 64, i, 0});
  expect_right(problem, {"coalesced_WX8_WY8"});
}

Problem of_types(Problem problem, DataType a, DataType b, DataType c) {
  problem.a.type = a;
  problem.b.type = b;
  problem.c.type = c;
  return problem;
}

constexpr auto kF16 = DataType::f16;

// faults 21 and 34
TEST_F(TypesTest, HalfsOnADeviceWithoutShaderF16) {
  for (std::size_t turn = 0; turn < 6; ++turn) {
    auto problem = of_types(sized(7, 13, 12 + turn % 2), kF16, kF16, turn == 5 ? DataType::f32 : kF16);
    problem.a.order = static_cast<Order>(turn >> 1 & 1);
    problem.b.order = static_cast<Order>(turn & 1);
    problem.c.offset = 3;
    if (turn % 2 == 1) {
      problem.c.order = Order::col_major;
      problem.beta = 2;
      problem.epilogue.bias = Bias::per_row;
      problem.epilogue.bias_type = kF16;
      problem.epilogue.add_residual = true;
      problem.epilogue.residual.type = kF16;
    }
    const auto edges = turn % 3 == 2 ? EdgePolicy::padded : EdgePolicy::checked;
    expect_right(problem, {kernel_of(turn), edges, turn == 1 ? 2U : 1U}, Setting::minimum);
    if (HasFatalFailure()) return;
  }
  // Vectors of whole words, in and out; and what the planner chooses.
  expect_right(of_types(sized(8, 16, 32), kF16, kF16, kF16), {kernels()[3]}, Setting::minimum);
  expect_right(of_types(sized(33, 34, 70), kF16, kF16, kF16), {}, Setting::minimum);
}

// fault 34
TEST_F(TypesTest, HalfsThatShareAWordDoNotRace) {
  auto problem = of_types(sized(5, 3, 9), kF16, kF16, kF16);
  problem.beta = 1;
  for (int run = 0; run < 50; ++run) expect_right(problem, {"naive"}, Setting::minimum, {Values::integers});
}

// faults 18 and 28
TEST_F(TypesTest, EveryKindOfOperandTakesSizesOfZero) {
  for (const auto setting : {Setting::standard, Setting::minimum}) {
    for (const auto a : {DataType::i8, DataType::u8, DataType::f16, DataType::f32}) {
      for (auto problem : {sized(0, 3, 4), sized(3, 0, 4), sized(3, 5, 0)}) {
        const bool floating = is_floating(a);
        problem = of_types(problem, a, a, floating ? a : DataType::i32);
        problem.beta = 1;
        expect_right(problem, {}, setting, {Values::integers});
        if (!floating) continue;
        problem.b = {DataType::u4, Order::col_major};
        problem.quantization = {32, a, true};
        problem.epilogue.bias = Bias::per_column;
        expect_right(problem, {}, setting, {Values::integers});
      }
    }
  }
}

TEST_F(TypesTest, IntegersOfEverySign) {
  for (std::size_t turn = 0; turn < 8; ++turn) {
    const auto a = turn % 2 == 0 ? DataType::i8 : DataType::u8;
    const auto b = turn / 2 % 2 == 0 ? DataType::i8 : DataType::u8;
    auto problem = of_types(sized(7, 13, turn < 4 ? 20 : 22), a, b, DataType::i32);
    problem.b.order = static_cast<Order>(turn < 4);
    for (const auto& kernel : {std::string("packed-dot_BM8_BN16_BK16_TM2_TN4"), kernel_of(turn)}) {
      expect_right(problem, {kernel}, Setting::standard, {Values::integers, Values::extremes});
    }
    problem.a.order = static_cast<Order>(turn / 2 % 2);
    problem.c.order = static_cast<Order>(turn & 1);
    problem.beta = 1;
    problem.a.offset = 1;
    const auto edges = turn % 2 == 0 ? EdgePolicy::padded : EdgePolicy::checked;
    expect_right(problem, {"packed-dot_BM8_BN16_BK16_TM2_TN4", edges, 2}, Setting::minimum,
                 {Values::extremes});
    if (turn < 3)
      expect_right(problem, {kernel_of(turn + 1), edges, 2}, Setting::minimum, {Values::extremes});
    if (HasFatalFailure()) return;
  }
  expect_right(of_types(sized(70, 65, 130), DataType::u8, DataType::i8, DataType::i32), {}, Setting::standard,
               {Values::integers});
}

TEST_F(TypesTest, IntegersIntoAScaledC) {
  for (const auto& kernel : {std::string("packed-dot_BM8_BN16_BK16_TM2_TN4"), kernels()[3]}) {
    auto scaled = of_types(sized(9, 6, 17), DataType::u8, DataType::i8, DataType::f32);
    scaled.alpha = 0.5;
    scaled.beta = 2;
    scaled.epilogue.bias = Bias::per_column;
    scaled.epilogue.activation = Activation::relu;
    expect_right(scaled, {kernel}, Setting::standard, {Values::integers});
    scaled.c.type = kF16;
    scaled.alpha = 0x1p-10F;
    expect_right(scaled, {kernel}, Setting::minimum, {Values::integers});
  }
}

TEST_F(TypesTest, IntegersWrapModulo2To32) {
  for (const auto* kernel : {"coalesced_WX8_WY8", "packed-dot_BM8_BN16_BK16_TM2_TN4"}) {
    for (const auto type : {DataType::i8, DataType::u8}) {
      // 255 * 255 * K and 128 * 128 * K are beyond 2^31.
      const auto problem = of_types(sized(2, 3, 300001), type, type, DataType::i32);
      expect_right(problem, {kernel}, Setting::standard, {Values::extremes});
      expect_right(problem, {kernel, EdgePolicy::checked, 3}, Setting::standard, {Values::extremes});
    }
  }
}

TEST_F(TypesTest, SumsInF16) {
  if (!Bench::get().profile(Setting::standard).shader_f16) GTEST_SKIP() << "the adapter has no shader-f16";
  for (std::size_t turn = 0; turn < 5; ++turn) {
    auto problem =
        of_types(sized(7, 13, 20 + turn % 2), kF16, kF16, turn / 2 % 2 == 0 ? kF16 : DataType::f32);
    problem.accumulate = Accumulate::f16;
    problem.b.order = static_cast<Order>(turn & 1);
    expect_right(problem, {kernel_of(turn)});
    if (turn == 0) expect_right(problem, {kernel_of(turn + 2), EdgePolicy::padded, 2});
    if (HasFatalFailure()) return;
  }
}

// fault 17
TEST_F(TypesTest, OnlySumsInF16OverflowWhereTheSumIsSmall) {
  for (const auto setting : {Setting::standard, Setting::minimum}) {
    const auto problem = of_types(sized(1, 1, 4096), kF16, kF16, DataType::f32);
    std::vector<std::byte> a(8192), b(8192), c(4);
    for (std::uint64_t k = 0; k < 4096; ++k) {
      store_element(a, kF16, k, 16);
      store_element(b, kF16, k, k % 4 < 2 ? 2250 : -2250);
    }
    auto& context = *Bench::get().context(setting);
    for (const auto& kernel : kernels()) {
      ASSERT_TRUE(context.multiply(problem, a, b, c, {kernel, EdgePolicy::checked, 1}));
      EXPECT_EQ(load_element(c, DataType::f32, 0), 0) << kernel;
    }
    if (!context.profile().shader_f16) continue;
    auto narrow = problem;
    narrow.accumulate = Accumulate::f16;  // 2 * 16 * 2250 is beyond the largest half
    ASSERT_TRUE(context.multiply(narrow, a, b, c, {"naive", EdgePolicy::checked, 1}));
    EXPECT_NE(load_element(c, DataType::f32, 0), 0);
  }
}

TEST_F(TypesTest, QuantisedWeightsOfEveryCode) {
  std::size_t turn = 0;
  for (const auto code : {DataType::u4, DataType::i4, DataType::u8, DataType::i8}) {
    for (const bool zeros : {false, true}) {
      ++turn;
      const bool half = turn % 2 == 0 && Bench::get().profile(Setting::standard).shader_f16;
      auto problem =
          of_types(sized(7, 13, turn % 3 == 0 ? 48 : 41), half ? kF16 : DataType::f32, code, DataType::f32);
      problem.b.order = Order::col_major;
      problem.quantization = {16, turn % 3 == 1 ? kF16 : DataType::f32, zeros};
      expect_right(problem, {kernel_of(turn)});
      problem.c.order = Order::col_major;  // A and B change places
      problem.b = {code, Order::row_major, 80, 32};
      problem.trans_b = Transpose::transpose;
      problem.a.order = Order::col_major;
      expect_right(problem, {kernel_of(turn + 2), EdgePolicy::checked, 2}, Setting::standard);
      if (turn % 2 == 0) continue;
      problem.epilogue.bias = Bias::per_column;
      expect_right(problem, {kernel_of(turn + 1), EdgePolicy::padded}, Setting::minimum);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(TypesTest, QuantisedWeightsOfOneRowAndOfABatch) {
  for (const std::uint32_t block : {32U, 128U}) {
    auto problem = of_types(sized(1, 70, 260), DataType::f32, DataType::u4, DataType::f32);
    problem.b.order = Order::col_major;
    problem.quantization = {block, kF16, true};
    expect_right(problem, {});
    expect_right(problem, {}, Setting::minimum);
    problem.m = 33;
    problem.batch.rank = 1;
    problem.batch.extents = {2};
    problem.batch.a = {8580};
    problem.batch.c = {2310};
    expect_right(problem, {});
    problem.batch = {};
    problem.batch.table = {{8580, 0, 0, 0}, {0, 0, 2310, 0}};
    expect_right(problem, {"", EdgePolicy::checked, 2});
  }
}

TEST_F(TypesTest, QuantisedWeightsThatABatchSharesAreCopiedOnceForAll) {
  auto problem = of_types(sized(7, 13, 41), DataType::f32, DataType::u4, DataType::f32);
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
    expect_right(problem, options);
    options.edges = EdgePolicy::checked;
    options.dequantise = true;
    options.split_k = 2;
    expect_right(problem, options, turn % 2 == 0 ? Setting::minimum : Setting::standard);
    if (HasFatalFailure()) return;
  }
}

TEST_F(TypesTest, QuantisedWeightsDequantisedForSumsInF16) {
  if (!Bench::get().profile(Setting::standard).shader_f16) GTEST_SKIP() << "the adapter has no shader-f16";
  auto problem = of_types(sized(7, 13, 48), kF16, DataType::i8, DataType::f32);
  problem.b.order = Order::col_major;
  problem.quantization = {16, DataType::f32, true};
  problem.accumulate = Accumulate::f16;
  PlanOptions options{"coalesced_WX8_WY8"};
  for (const bool first : {false, true}) {
    options.dequantise = first;
    expect_right(problem, options, Setting::standard, {Values::integers});
  }
}

// fault 18: what is f32 is not narrowed through halfs on the way.
TEST_F(TypesTest, ScalesOfF16DoNotNarrowAnAOfF32) {
  auto problem = of_types(sized(1, 1, 16), DataType::f32, DataType::i8, DataType::f32);
  problem.b.order = Order::col_major;
  problem.quantization = {16, kF16, false};
  std::vector<std::byte> a(64), b(16), c(4), scales(2);
  store_element(a, DataType::f32, 3, 70001);
  for (std::uint64_t k = 0; k < 16; ++k) store_element(b, DataType::i8, k, 1);
  store_element(scales, kF16, 0, 1);
  for (const auto& kernel : kernels()) {
    ASSERT_TRUE(
        Bench::get().context(Setting::standard)->multiply(problem, {a, b, c, {}, {}, scales, {}}, {kernel}));
    EXPECT_EQ(load_element(c, DataType::f32, 0), 70001) << kernel;
  }
}

}  // namespace
}  // namespace wgemm::tests
