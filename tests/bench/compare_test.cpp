// When a time counts as another one, and what passes say of it.
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <vector>

#include "bench/compare.hpp"
#include "bench/passes.hpp"

namespace wgemm::bench {
namespace {

/// `drift`: between passes.
Timing timing(double ms, double spread = 0.01, std::uint32_t samples = 9, double drift = 0) {
  return {ms, spread, samples, drift};
}

Timing of_one_pass(double ms) { return {ms, 0.01, 9, std::nullopt}; }

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

TEST(Compare, AMissingSpreadIsNotNone) {
  auto silent = timing(9);
  silent.spread.reset();
  EXPECT_EQ(compare(silent, timing(1)).verdict, Verdict::unknown);
  EXPECT_EQ(compare(timing(1), silent).verdict, Verdict::unknown);
}

TEST(Compare, WhatPassesAreApartIsNoDifference) {
  EXPECT_EQ(compare(timing(1.25), timing(1)).verdict, Verdict::faster);
  EXPECT_EQ(compare(timing(1.25, 0.01, 9, 0.2), timing(1)).verdict, Verdict::same);
  EXPECT_EQ(compare(timing(1), timing(1.25, 0.01, 9, 0.2)).verdict, Verdict::same);
  EXPECT_EQ(compare(timing(1.5, 0.01, 9, 0.2), timing(1)).verdict, Verdict::faster);
}

TEST(Compare, OnePassNeedsALargerDifference) {
  EXPECT_EQ(compare(of_one_pass(1.02), timing(1)).verdict, Verdict::same);
  EXPECT_EQ(compare(of_one_pass(1.08), timing(1)).verdict, Verdict::unknown);
  EXPECT_EQ(compare(timing(1), of_one_pass(1.08)).verdict, Verdict::unknown);
  EXPECT_EQ(compare(of_one_pass(1.2), timing(1)).verdict, Verdict::faster);
  EXPECT_EQ(compare(of_one_pass(1.2), of_one_pass(1)).verdict, Verdict::unknown);
  EXPECT_EQ(compare(of_one_pass(1.4), of_one_pass(1)).verdict, Verdict::faster);
  // What the other side is known to drift is assumed of this one too.
  EXPECT_EQ(compare(of_one_pass(1.4), timing(1, 0.01, 9, 0.2)).verdict, Verdict::unknown);
}

TEST(Drift, IsThatOfTheRunWhereThePassesOfARowAgreeByChance) {
  EXPECT_FALSE(drift_of(std::nullopt, std::vector{0.1}));
  EXPECT_DOUBLE_EQ(drift_of(0.01, std::vector{0.01, 0.03, 0.04, 0.5}).value_or(0), 0.04);
  EXPECT_DOUBLE_EQ(drift_of(0.3, std::vector{0.01, 0.02, 0.3}).value_or(0), 0.3);
  EXPECT_DOUBLE_EQ(drift_of(0.3, std::vector{0.3}).value_or(0), 0.3);
}

Measurement pass(double ms, double spread, std::uint32_t samples) {
  Measurement measured;
  measured.ms = ms;
  measured.minimum_ms = ms / 2;
  measured.maximum_ms = ms * 2;
  measured.spread = spread;
  measured.spread_reached = spread < 0.03;
  measured.samples = samples;
  measured.step_ms = {ms / 4, ms * 3 / 4};
  return measured;
}

TEST(Passes, AreOneMeasurementOfTheirMedian) {
  const std::vector passes{pass(2, 0.01, 5), pass(4, 0.2, 25), pass(1, 0.02, 6)};
  const auto whole = combine(passes);
  EXPECT_DOUBLE_EQ(whole.ms, 2);
  EXPECT_DOUBLE_EQ(whole.minimum_ms, 0.5);
  EXPECT_DOUBLE_EQ(whole.maximum_ms, 8);
  EXPECT_DOUBLE_EQ(whole.spread, 0.2);
  EXPECT_FALSE(whole.spread_reached);
  EXPECT_EQ(whole.samples, 36U);
  EXPECT_EQ(whole.step_ms, (std::vector{0.5, 1.5}));
  EXPECT_DOUBLE_EQ(combine(std::span(passes).first(2)).ms, 3);
  EXPECT_DOUBLE_EQ(combine(std::span(passes).first(1)).ms, 2);
}

TEST(Passes, AreApartByTheirExtremes) {
  EXPECT_DOUBLE_EQ(pass_spread(std::vector{1.0, 2.0, 1.5}).value_or(0), 1 / 1.5);
  EXPECT_FALSE(pass_spread(std::vector{1.0}));
}

}  // namespace
}  // namespace wgemm::bench
