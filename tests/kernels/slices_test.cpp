// register-tile with slices of k in a workgroup: how their steps of k and the rounds in which their sums are
// added meet sizes, layouts, types and epilogues.
#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

#include "core/kernels/kernel.hpp"
#include "tests/kernels/adapter_test.hpp"
#include "tests/kernels/problems.hpp"
#include "tests/kernels/typed_problems.hpp"

namespace wgemm::tests {
namespace {

class SlicesTest : public AdapterTest {};

// Short, and within the minimum limits: sums added in two rounds, in a round for each row; slices that share
// a subgroup; patches.
constexpr std::array kSliced{
    "register-tile_BM16_BN16_BK8_TM4_TN4_SLICES2", "register-tile_BM16_BN32_BK16_TM4_TN8_SLICES4",
    "register-tile_BM16_BN16_BK64_TM4_TN4_PAD0_SLICES16", "register-tile_BM32_BN16_BK16_TM4_TN4_LX4_SLICES2"};
// Twelve rows, of which seven are added at once.
constexpr auto kShortLastRound = "register-tile_BM96_BN16_BK16_TM12_TN4_SLICES2";

std::string sliced(std::size_t turn) { return kSliced.at(turn % kSliced.size()); }

TEST_F(SlicesTest, DepthsOfKAroundTheTileAndItsSlices) {
  std::vector<std::string> names(kSliced.begin(), kSliced.end());
  names.emplace_back(kShortLastRound);
  for (const auto& name : names) {
    const auto kernel = kernels::parse(name).value();
    const auto tile = static_cast<std::uint64_t>(kernels::value_of(kernel, "BK"));
    const auto depth = tile / kernels::slices(kernel);
    for (const std::uint64_t k : {std::uint64_t{0}, std::uint64_t{1}, depth - 1, depth, depth + 1, tile - 1,
                                  tile, tile + 1, tile + depth + 2, 3 * tile, 3 * tile + 5}) {
      // Edges in every direction, and the element past which nothing may be written.
      expect_right({35, 41, k}, Setting::standard, {name});
    }
    if (HasFailure()) return;
  }
}

TEST_F(SlicesTest, EveryLayoutWithEdgesAndWithout) {
  std::size_t turn = 0;
  for (const auto& layout : all_layouts()) {
    const auto kernel = sliced(turn++);
    for (const auto& shape : {Shape{97, 33, 70}, Shape{36, 44, 84}, Shape{96, 32, 64}, Shape{1, 1, 1}}) {
      const auto problem = make_problem(shape, layout, shape.k % 3, DataType::f32);
      expect_right(problem, Setting::standard, {kernel});
      if (shape.m == 97) expect_right(problem, Setting::minimum, {kernel, EdgePolicy::padded});
    }
    if (HasFailure()) return;
  }
}

TEST_F(SlicesTest, WithoutTheLibrarysBoundsChecks) {
  for (const std::string kernel : kSliced) {
    expect_right({35, 41, 83}, Setting::unchecked, {kernel});
    expect_right({96, 64, 128}, Setting::unchecked, {kernel});
  }
}

TEST_F(SlicesTest, EveryKindOfOperandAndSum) {
  const bool half = Bench::get().profile(Setting::standard).shader_f16;
  for (std::size_t turn = 0; turn < kSliced.size(); ++turn) {
    SCOPED_TRACE(sliced(turn));
    Problem problem{19, 21, 70 + turn % 2};
    problem.b.order = turn % 2 == 0 ? Order::row_major : Order::col_major;
    auto bytes = of_types(problem, DataType::i8, turn % 2 == 0 ? DataType::u8 : DataType::i8, DataType::i32);
    bytes.beta = turn < 2 ? 1 : 0;
    expect_right_everywhere(bytes, {sliced(turn)});
    const auto f16 = DataType::f16;
    auto halfs = of_types(problem, f16, f16, turn % 2 == 0 ? f16 : DataType::f32);
    expect_right_everywhere(halfs, {sliced(turn)}, half ? Setting::standard : Setting::minimum);
    if (half && turn < 3) {
      halfs.accumulate = Accumulate::f16;
      expect_right_everywhere(halfs, {sliced(turn)});
    }
    if (turn < 2) {
      problem.b = {turn == 0 ? DataType::u4 : DataType::i8, Order::col_major};
      problem.quantization = {16, DataType::f32, turn == 0};
      expect_right_everywhere(problem, {sliced(turn)});
    }
    if (HasFailure()) return;
  }
}

TEST_F(SlicesTest, EpiloguesBatchesAndPartsOfK) {
  for (std::size_t turn = 0; turn < kSliced.size(); ++turn) {
    Problem problem{18, 35, 150};
    problem.alpha = 2;
    problem.beta = turn % 2 == 0 ? -1.0F : 0.0F;
    problem.epilogue.bias = turn % 2 == 0 ? Bias::per_column : Bias::per_row;
    problem.epilogue.activation = Activation::relu;
    problem.epilogue.add_residual = true;
    problem.c.order = turn % 2 == 0 ? Order::row_major : Order::col_major;
    problem.batch.rank = 1;
    problem.batch.extents = {3};
    problem.batch.a = {problem.m * problem.k};
    problem.batch.b = {turn == 1 ? 0 : problem.k * problem.n};
    problem.batch.c = problem.batch.residual = {problem.m * problem.n + 2};
    const auto edges = turn == 3 ? EdgePolicy::padded : EdgePolicy::checked;
    expect_right(problem, Setting::standard, {sliced(turn), edges, turn == 2 ? 2U : 1U});
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace wgemm::tests
