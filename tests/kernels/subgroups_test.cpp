// matrix-tile where its subgroups share k, and where a driver runs larger subgroups than it is written for.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "tests/kernels/adapter_test.hpp"

namespace wgemm::tests {
namespace {

// One matrix a subgroup, for software drivers compile these texts for seconds.
constexpr const char* kSliced = "matrix-tile_BM16_BN32_BK32_WM16_WN16_MM16_MN16_MK8_LANES8_SLICES4";
constexpr const char* kWhole = "matrix-tile_BM16_BN64_BK16_WM16_WN16_MM16_MN16_MK8_LANES8";
constexpr const char* kTwoTiles = "matrix-tile_BM16_BN64_BK16_WM16_WN16_MM16_MN16_MK8_LANES8_BUFFERS2";
constexpr const char* kThreeTiles =
    "matrix-tile_BM16_BN64_BK16_WM16_WN16_MM16_MN16_MK8_LANES8_AHEAD2_BUFFERS3";

class Subgroups : public AdapterTest {
 protected:
  [[nodiscard]] static bool has_halfs() { return Bench::get().profile(Setting::emulated).shader_f16; }
};

/// k below, at and beyond a slice and a tile, for operands in every order; C of either type, a bias, a batch.
TEST_F(Subgroups, SlicesOfKAddUp) {
  std::size_t turn = 0;
  for (const auto& layout : all_layouts()) {
    if (layout[2] != Order::row_major) continue;  // it only exchanges A and B
    ++turn;
    const auto type = turn % 2 == 0 && has_halfs() ? DataType::f16 : DataType::f32;
    const auto c_type = turn > 2 && has_halfs() ? DataType::f16 : DataType::f32;
    for (const std::uint64_t k : {1, 7, 9, 31, 32, 77}) {
      expect_right(make_problem({17, 33, k}, layout, 1, type, c_type), Setting::emulated, {kSliced});
      if (HasFailure()) return;
    }
    auto problem = make_problem({16, 32, 64}, layout, 0, type, c_type);  // whole blocks
    problem.epilogue.bias = Bias::per_column;
    problem.batch.rank = 1;
    problem.batch.extents = {2};
    problem.batch.a = {1024};
    problem.batch.c = {512};
    expect_right(problem, Setting::emulated, {kSliced});
    if (HasFailure()) return;
  }
}

/// k below, at and beyond what is on its way and in workgroup memory; operands in the orders of which the
/// kernels' cases have none. Few texts, for each compiles for many seconds.
TEST_F(Subgroups, SeveralTilesAddUp) {
  const auto type = has_halfs() ? DataType::f16 : DataType::f32;
  const Layout orders = {Order::col_major, Order::col_major, Order::row_major};
  for (const std::uint64_t k : {1, 15, 16, 17, 32, 47, 64, 81}) {
    expect_right(make_problem({17, 65, k}, orders, 1, type, DataType::f32), Setting::emulated, {kThreeTiles});
    if (HasFailure()) return;
  }
}

/// The plan's text as such a driver runs it: `count` subgroups do what all of them would.
void run_as_fewer(Plan& plan, int count) {
  for (auto& shader : plan.shaders) {
    if (!shader.label.starts_with("matrix-tile")) continue;  // copies of operands
    const auto replace = [&](std::string_view before, const std::string& after) {
      const auto at = shader.wgsl.find(before);
      ASSERT_NE(at, std::string::npos) << before;
      shader.wgsl.replace(at, before.size(), after);
    };
    replace("let subgroup = subgroup_index(t);",
            "let subgroup = subgroup_index(t) % " + std::to_string(count) + "u;");
    replace("let subgroups = ", "let subgroups = " + std::to_string(count) + "u; let all_subgroups = ");
  }
}

TEST_F(Subgroups, FewerThanPlannedTakeMorePasses) {
  auto& context = *Bench::get().context(Setting::emulated);
  const std::pair<const char*, int> cases[] = {{kSliced, 1}, {kSliced, 2},   {kSliced, 4},    {kWhole, 1},
                                               {kWhole, 2},  {kTwoTiles, 3}, {kThreeTiles, 2}};
  for (const auto& [kernel, count] : cases) {
    SCOPED_TRACE(std::to_string(count) + " subgroups of " + kernel);
    auto plan = guarded_plan(make_problem({17, 33, 77}, all_layouts().front(), 1, DataType::f32),
                             Setting::emulated, {kernel, EdgePolicy::checked, 1});
    ASSERT_TRUE(plan) << plan.error().message;
    run_as_fewer(*plan, count);
    auto prepared = context.prepare(*plan);
    ASSERT_TRUE(prepared) << prepared.error().message;
    const auto verdict = verify::verify(context, *prepared);
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_TRUE(verdict->ok) << verdict->reason;
  }
}

}  // namespace
}  // namespace wgemm::tests
