#include "tune/random_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace wgemm::tune {
namespace {

TEST(RandomShapes, AreTheSameForASeedAndSpreadOverAllSizes) {
  const auto shapes = random_shapes(400, 7);
  ASSERT_EQ(shapes.size(), 400U);
  std::set<std::string> seen;
  std::size_t short_k = 0;
  for (const auto& shape : shapes) {
    EXPECT_TRUE(validate(shape)) << describe(shape);
    EXPECT_GE(shape.m * shape.n * shape.k, 1U);
    EXPECT_LE(shape.flops(), 0x1p37) << describe(shape);
    EXPECT_LE(std::max({shape.m, shape.n, shape.k}), 8191U);
    short_k += shape.k < 64 ? 1 : 0;
    seen.insert(describe(shape));
  }
  EXPECT_GT(seen.size(), 390U);
  // Six of thirteen powers of two, and a little more, for large ones are often drawn anew.
  EXPECT_GT(short_k, 150U);
  EXPECT_LT(short_k, 280U);
  EXPECT_EQ(describe(random_shapes(3, 7)[2]), describe(shapes[2]));
  EXPECT_NE(describe(random_shapes(1, 8)[0]), describe(shapes[0]));
}

}  // namespace
}  // namespace wgemm::tune
