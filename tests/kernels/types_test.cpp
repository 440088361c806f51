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
                           std::vector<Values> all = {Values::integers, Values::random}) {
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

/// Small configurations of each way in which kernels read: elements, vectors along k, vectors.
const std::vector<std::string>& kernels() {
  static const std::vector<std::string> all{"coalesced_WX8_WY8", "tiled_TILE8", "vec4_BM8_BN16_BK8_TM2_TN4",
                                            "register-tile_BM16_BN16_BK4_TM4_TN4"};
  return all;
}

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
  for (const auto& kernel : kernels()) {
    for (const auto edges : {EdgePolicy::checked, EdgePolicy::padded}) {
      for (const std::uint32_t split : {1U, 2U}) {
        auto problem = scattered();
        problem.beta = 2;
        problem.epilogue.add_residual = true;
        problem.epilogue.residual.order = Order::col_major;
        expect_right(problem, {kernel, edges, split});
        problem.c.order = Order::col_major;
        problem.c.ld = 0;
        for (std::size_t i = 0; i < problem.batch.table.size(); ++i) problem.batch.table[i].c = 41 * i;
        expect_right(problem, {kernel, edges, split});
        if (HasFatalFailure()) return;
      }
    }
  }
}

// fault 9
TEST_F(TypesTest, TablesLongerThanADimensionOfWorkgroups) {
  auto problem = sized(1, 1, 4);
  for (std::uint64_t i = 0; i < 65536 + 3; ++i) problem.batch.table.push_back({i * 7 % 1000, i % 64, i, 0});
  expect_right(problem, {"coalesced_WX8_WY8"});
}

}  // namespace
}  // namespace wgemm::tests
