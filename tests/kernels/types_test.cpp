// Batches by table, halfs with and without shader-f16, and sizes of zero of every type, on the adapter.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/kernels/adapter_test.hpp"
#include "tests/kernels/typed_problems.hpp"
#include "verify/elements.hpp"

namespace wgemm::tests {
namespace {

class TypesTest : public AdapterTest {};

constexpr auto kF16 = DataType::f16;

/// Products whose matrices lie in any order, some of them shared; C are blocks of one larger matrix.
Problem scattered() {
  Problem problem{5, 8, 12};
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
    expect_right_everywhere(problem, options);
    if (HasFailure()) return;
  }
}

// fault 9
TEST_F(TypesTest, TablesLongerThanADimensionOfWorkgroups) {
  Problem problem{1, 1, 4};
  for (std::uint64_t i = 0; i < 65536 + 3; ++i) problem.batch.table.push_back({i * 7 % 1000, i % 64, i, 0});
  expect_right_everywhere(problem, {"coalesced_WX8_WY8"});
}

// faults 21 and 34
TEST_F(TypesTest, HalfsOnADeviceWithoutShaderF16) {
  for (std::size_t turn = 0; turn < 6; ++turn) {
    auto problem = of_types(Problem{7, 13, 12 + turn % 2}, kF16, kF16, turn == 5 ? DataType::f32 : kF16);
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
    expect_right_everywhere(problem, {kernel_of(turn), edges, turn == 1 ? 2U : 1U}, Setting::minimum);
    if (HasFailure()) return;
  }
  // Vectors of whole words, in and out; and what the planner chooses.
  expect_right_everywhere(of_types(Problem{8, 16, 32}, kF16, kF16, kF16), {kernels()[3]}, Setting::minimum);
  expect_right_everywhere(of_types(Problem{33, 34, 70}, kF16, kF16, kF16), {}, Setting::minimum);
}

// fault 34
TEST_F(TypesTest, HalfsThatShareAWordDoNotRace) {
  auto problem = of_types(Problem{5, 3, 9}, kF16, kF16, kF16);
  problem.beta = 1;
  // Neighbours in workgroups of their own, and in one: a driver with a single thread takes only the latter at
  // once.
  for (const auto* kernel : {"naive", "coalesced_WX8_WY8"}) {
    for (int run = 0; run < 50; ++run) expect_right_everywhere(problem, {kernel}, Setting::minimum);
  }
}

// faults 18 and 28
TEST_F(TypesTest, EveryKindOfOperandTakesSizesOfZero) {
  for (const auto setting : {Setting::standard, Setting::minimum}) {
    for (const auto a : {DataType::i8, DataType::u8, DataType::f16, DataType::f32}) {
      for (auto problem : {Problem{0, 3, 4}, Problem{3, 0, 4}, Problem{3, 5, 0}}) {
        const bool floating = is_floating(a);
        problem = of_types(problem, a, a, floating ? a : DataType::i32);
        problem.beta = 1;
        expect_right_everywhere(problem, {}, setting);
        if (!floating) continue;
        problem.b = {DataType::u4, Order::col_major};
        problem.quantization = {32, a, true};
        problem.epilogue.bias = Bias::per_column;
        expect_right_everywhere(problem, {}, setting);
      }
    }
  }
}

TEST_F(TypesTest, SumsInF16) {
  if (!Bench::get().profile(Setting::standard).shader_f16) GTEST_SKIP() << "the adapter has no shader-f16";
  for (std::size_t turn = 0; turn < 5; ++turn) {
    auto problem =
        of_types(Problem{7, 13, 20 + turn % 2}, kF16, kF16, turn / 2 % 2 == 0 ? kF16 : DataType::f32);
    problem.accumulate = Accumulate::f16;
    problem.b.order = static_cast<Order>(turn & 1);
    expect_right_everywhere(problem, {kernel_of(turn)});
    if (turn == 0) expect_right_everywhere(problem, {kernel_of(turn + 2), EdgePolicy::padded, 2});
    if (HasFailure()) return;
  }
}

// fault 17
TEST_F(TypesTest, OnlySumsInF16OverflowWhereTheSumIsSmall) {
  for (const auto setting : {Setting::standard, Setting::minimum}) {
    const auto problem = of_types(Problem{1, 1, 4096}, kF16, kF16, DataType::f32);
    std::vector<std::byte> a(8192), b(8192), c(4);
    for (std::uint64_t k = 0; k < 4096; ++k) {
      verify::write_element(kF16, a, k, 16);
      verify::write_element(kF16, b, k, k % 4 < 2 ? 2250 : -2250);
    }
    auto& context = *Bench::get().context(setting);
    for (const auto& kernel : kernels()) {
      ASSERT_TRUE(context.multiply(problem, a, b, c, {kernel, EdgePolicy::checked, 1}));
      EXPECT_EQ(verify::read_element(DataType::f32, c, 0), 0) << kernel;
    }
    if (!context.profile().shader_f16) continue;
    auto narrow = problem;
    narrow.accumulate = Accumulate::f16;  // 2 * 16 * 2250 is beyond the largest half
    ASSERT_TRUE(context.multiply(narrow, a, b, c, {"naive", EdgePolicy::checked, 1}));
    EXPECT_NE(verify::read_element(DataType::f32, c, 0), 0);
  }
}

}  // namespace
}  // namespace wgemm::tests
