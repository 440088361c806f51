// Which rows a benchmark has: suites, types, layouts, and their combinations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "bench/row.hpp"
#include "bench/suites.hpp"

namespace wgemm::bench {
namespace {

using testing::HasSubstr;

TEST(Suites, HoldDistinctProductsThatAreProblemsInAllTypes) {
  for (const auto& suite : list_suites()) {
    const auto products = suite_products(suite.name);
    ASSERT_TRUE(products) << products.error().message;
    std::set<std::string> seen;
    for (auto product : *products) {
      EXPECT_EQ(product.suite, suite.name);
      EXPECT_TRUE(seen.insert(sizes_of(product) + product.layout).second) << sizes_of(product) << " twice";
      for (const auto& types : list_types()) {
        product.types = types.name;
        const auto problem = problem_of(product);
        ASSERT_TRUE(problem) << problem.error().message;
        const auto valid = validate(*problem);
        EXPECT_TRUE(valid) << sizes_of(product) << " " << types.name << ": " << valid.error().message;
        EXPECT_EQ(problem->batch.count(), product.batch);
      }
    }
  }
}

TEST(Suites, HoldTheProjectionsOfThreeModels) {
  const auto products = suite_products("llm");
  ASSERT_TRUE(products);
  EXPECT_EQ(products->size(), 3U * 4 * 4);
  const auto down = std::ranges::find(*products, "8B down, M = 16", &Product::label);
  ASSERT_NE(down, products->end());
  EXPECT_EQ(sizes_of(*down), "16x4096x14336");
  EXPECT_EQ(down->layout, "nt");
}

TEST(Suites, OfOtherNamesAreErrorsThatListThem) {
  const auto none = suite_products("nonsense");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::not_found);
  EXPECT_THAT(none.error().message, HasSubstr("squares, llm, skinny, batched, odd"));
}

TEST(Rows, AreAllCombinations) {
  const auto rows = rows_of({{64, 96, 33}, {1, 2, 3}}, {.types = {"f32", "f16"},
                                                        .layouts = {"nn", "tt"},
                                                        .kernels = {"", "naive_WX16_WY16"},
                                                        .splits = {1, 2, 3},
                                                        .prepared = true});
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->size(), 2U * 2 * 2 * 2 * 3 * 2);
  EXPECT_FALSE(rows->at(0).prepared);
  EXPECT_TRUE(rows->at(1).prepared);
}

TEST(Rows, CanBeOfAPreparedBAlone) {
  const auto rows = rows_of({{8, 8, 8}}, {.prepared = true, .unprepared = false});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_TRUE(rows->front().prepared);
}

TEST(Rows, AppearOnce) {
  const auto rows = rows_of({{8, 8, 8}, {8, 8, 8}}, {.types = {"int4", "int4"}, .layouts = {"nn", "nt"}});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 1U);
  // Weights lie one way, whatever was asked for.
  EXPECT_EQ(rows->front().product.layout, "nt");
}

TEST(Rows, WithoutVariationsAreTheProducts) {
  const auto rows = rows_of({{2, 3, 4, 5, "f16", "tn"}}, {});
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 1U);
  const auto problem = problem_of(rows->front().product);
  ASSERT_TRUE(problem);
  EXPECT_EQ(describe(*problem), "2x3x4 f16->f32 rrr trans_a batch 5");
}

TEST(Rows, OfUnknownTypesAndLayoutsAreErrors) {
  const auto types = rows_of({{8, 8, 8}}, {.types = {"f64"}});
  ASSERT_FALSE(types);
  EXPECT_THAT(types.error().message, HasSubstr("'f64'"));
  EXPECT_THAT(types.error().message, HasSubstr("f16-out16"));
  const auto layouts = rows_of({{8, 8, 8}}, {.layouts = {"nx"}});
  ASSERT_FALSE(layouts);
  EXPECT_THAT(layouts.error().message, HasSubstr("nn, nt, tn, tt"));
}

}  // namespace
}  // namespace wgemm::bench
