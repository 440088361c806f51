// When a time counts as another one.
#include <gtest/gtest.h>

#include "bench/compare.hpp"

namespace wgemm::bench {
namespace {

Timing timing(double ms, double spread = 0.01, std::uint32_t samples = 9) { return {ms, spread, samples}; }

TEST(Compare, RatioIsTheTimeBeforeOverTheTimeNow) {
  EXPECT_DOUBLE_EQ(compare(timing(3), timing(2)).ratio, 1.5);
  EXPECT_EQ(compare(timing(3), timing(2)).verdict, Verdict::faster);
  EXPECT_EQ(compare(timing(2), timing(3)).verdict, Verdict::slower);
}

TEST(Compare, AFewPercentAreTheSameHoweverSmallTheSpread) {
  EXPECT_EQ(compare(timing(1.02, 0), timing(1, 0)).verdict, Verdict::same);
  EXPECT_EQ(compare(timing(1, 0), timing(1.02, 0)).verdict, Verdict::same);
  EXPECT_EQ(compare(timing(1.05, 0), timing(1, 0)).verdict, Verdict::faster);
}

TEST(Compare, OverlappingNotchesAreTheSame) {
  // Notches of 1.57 * 0.3 / sqrt(9) = 15.7 % on both sides.
  EXPECT_EQ(compare(timing(1.2, 0.3), timing(1, 0.3)).verdict, Verdict::same);
  EXPECT_EQ(compare(timing(1.5, 0.3), timing(1, 0.3)).verdict, Verdict::faster);
  // More samples make the same spread say more.
  EXPECT_EQ(compare(timing(1.2, 0.3, 100), timing(1, 0.3, 100)).verdict, Verdict::faster);
  EXPECT_DOUBLE_EQ(notch(timing(1, 0.3, 9)), 1.57 * 0.1);
}

TEST(Compare, FewSamplesSayNothing) {
  const auto change = compare(timing(9, 0, 2), timing(1));
  EXPECT_EQ(change.verdict, Verdict::unknown);
  EXPECT_DOUBLE_EQ(change.ratio, 9);
  EXPECT_EQ(compare(timing(9), timing(1, 0, 1)).verdict, Verdict::unknown);
  EXPECT_EQ(compare(timing(0), timing(1)).verdict, Verdict::unknown);
}

}  // namespace
}  // namespace wgemm::bench
