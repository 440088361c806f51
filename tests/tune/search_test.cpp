// The search, with times and faults that are made up.
#include "tune/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/selection/choice.hpp"
#include "core/tuning/neighbours.hpp"
#include "core/tuning/search_order.hpp"

namespace wgemm::tune {
namespace {

/// One without a kernel where there is none.
Trial best_of(const Found& found) { return found.best.value_or(Trial{}); }

using bench::Status;

constexpr double kNever = 1e9;

Problem problem() {
  Problem result;
  result.m = result.n = 512;
  result.k = 4096;
  return result;
}

const DeviceProfile& device() {
  static const auto profile = *find_profile("h200");
  return profile;
}

/// Trials take a second each of a clock that only they move, and compiling if it is to take time.
struct Made {
  double clock = 0;
  double trial_seconds = 1;
  double compile_seconds = 0;
  std::function<void(Trial&)> measure = [](Trial& trial) { trial.seconds = 1; };
  std::map<std::pair<std::string, std::uint32_t>, Trial> known;
  std::vector<Trial> measured;
  std::vector<std::vector<std::string>> compiled;  ///< at once
  std::size_t at_once = 1;
  std::vector<Trial> heard;
  std::optional<Error> error;
  std::size_t stop_after = SIZE_MAX;

  Found search(double deadline, const Problem& of = problem()) {
    const Lab lab{.now = [&] { return clock; },
                  .stopped = [&] { return measured.size() >= stop_after; },
                  .recall = [&](std::string_view kernel, std::uint32_t split_k) -> std::optional<Trial> {
                    const auto found = known.find({std::string(kernel), split_k});
                    return found == known.end() ? std::nullopt : std::optional(found->second);
                  },
                  .compile =
                      [&](std::span<const selection::Choice> choices) {
                        clock += compile_seconds;
                        auto& names = compiled.emplace_back();
                        for (const auto& choice : choices) names.push_back(kernels::name(choice.kernel));
                      },
                  .at_once = at_once,
                  .measure = [&](Trial& trial) -> Result<void> {
                    clock += trial_seconds;
                    measure(trial);
                    measured.push_back(trial);
                    if (error) return tl::unexpected(*error);
                    return {};
                  },
                  .finished = [&](const Trial& trial, const Trial*) { heard.push_back(trial); }};
    return tune::search(of, device(), deadline, lab);
  }
};

std::string heuristic() { return make_plan(problem(), device(), {}, nullptr)->kernel; }

TEST(Search, BeginsWithThePlannersOwnAndTriesEachOnce) {
  Made made;
  const auto found = made.search(kNever);
  EXPECT_TRUE(found.complete);
  ASSERT_FALSE(made.measured.empty());
  EXPECT_EQ(made.measured.front().kernel, heuristic());
  EXPECT_TRUE(made.measured.front().heuristic);
  std::set<std::pair<std::string, std::uint32_t>> seen;
  for (const auto& trial : made.measured) {
    EXPECT_TRUE(seen.emplace(trial.kernel, trial.split_k).second) << trial.kernel;
    EXPECT_EQ(trial.heuristic, &trial == &made.measured.front());
    EXPECT_GT(trial.estimated_seconds, 0);
  }
  const auto candidates = selection::rank(problem(), device(), {}, SIZE_MAX);
  for (const auto& each : candidates) EXPECT_TRUE(seen.contains({kernels::name(each.kernel), each.split_k}));
  EXPECT_GT(seen.size(), candidates.size()) << "neighbours of the best too";
  EXPECT_EQ(made.heard.size(), made.measured.size());
}

TEST(Search, FindsABetterOneOutsideOfTheCandidates) {
  // The smaller BK, the faster; no candidate has less than 16.
  Made made;
  made.measure = [](Trial& trial) {
    const auto kernel = kernels::parse(trial.kernel);
    const auto block_k = static_cast<double>(kernels::value_of(*kernel, "BK"));
    trial.seconds = kernel->family->name == "register-tile" ? block_k : 1000;
  };
  const auto found = made.search(kNever);
  ASSERT_TRUE(found.best);
  EXPECT_LT(best_of(found).seconds, 16) << best_of(found).kernel;
  EXPECT_TRUE(found.complete);
}

TEST(Search, WhatIsWrongRefusedOrFailsHasNoTimeThatCounts) {
  Made made;
  std::size_t count = 0;
  made.measure = [&](Trial& trial) {
    trial.seconds = 1e-9 * static_cast<double>(++count);  // tempting
    constexpr Status kFaults[] = {Status::wrong, Status::failed, Status::unsupported, Status::device_lost};
    trial.status = kFaults[count % 4];
    if (count == 7) {
      trial.status = Status::ok;
      trial.seconds = 5;
    }
  };
  const auto found = made.search(kNever);
  ASSERT_TRUE(found.best);
  EXPECT_EQ(best_of(found).seconds, 5);
  EXPECT_EQ(found.heuristic_seconds, 0) << "it failed";
  made = {};
  made.measure = [](Trial& trial) { trial.status = Status::wrong; };
  EXPECT_FALSE(made.search(kNever).best);
}

// fault 23
TEST(Search, ATimeOfZeroIsNoneAtAll) {
  Made made;
  std::size_t count = 0;
  made.measure = [&](Trial& trial) { trial.seconds = ++count == 2 ? 3 : 0; };
  const auto found = made.search(kNever);
  ASSERT_TRUE(found.best);
  EXPECT_EQ(best_of(found).seconds, 3);
  made = {};
  made.measure = [](Trial& trial) { trial.seconds = 0; };
  EXPECT_FALSE(made.search(kNever).best);
}

TEST(Search, ThePlannersOwnStaysWhereNothingIsClearlyFaster) {
  Made made;
  made.measure = [](Trial& trial) { trial.seconds = trial.heuristic ? 1 : 0.99; };
  EXPECT_EQ(best_of(made.search(kNever)).kernel, heuristic());
  made = {};
  made.measure = [](Trial& trial) { trial.seconds = trial.heuristic ? 1 : 0.9; };
  const auto found = made.search(kNever);
  EXPECT_NE(best_of(found).kernel, heuristic());
  EXPECT_EQ(found.heuristic_seconds, 1);
}

TEST(Search, CompilesAtOnceWhatIsMeasuredNext) {
  Made made;
  made.at_once = 8;
  made.stop_after = 20;
  made.search(kNever);
  ASSERT_EQ(made.compiled.size(), 4U) << "the first trial alone, then 2 to 9, 10 to 17, 18 to 25";
  EXPECT_EQ(made.compiled[0], std::vector{made.measured.at(0).kernel});
  for (std::size_t batch = 0; batch < 2; ++batch) {
    ASSERT_EQ(made.compiled[1 + batch].size(), 8U);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(made.compiled[1 + batch][i], made.measured.at(1 + batch * 8 + i).kernel);
    }
  }
}

TEST(Search, CompilesNothingThatIsKnownOrThatThereIsNoTimeFor) {
  Made all;
  all.stop_after = 12;
  all.search(kNever);
  EXPECT_TRUE(all.compiled.empty()) << "one after the other where nothing else is said";
  Made made;
  made.at_once = 8;
  for (const std::size_t i : {2U, 4U}) {
    made.known[{all.measured.at(i).kernel, all.measured.at(i).split_k}] = all.measured.at(i);
  }
  made.search(5.5);
  // Five seconds, and two of the next four are known.
  ASSERT_EQ(made.compiled.size(), 3U);
  EXPECT_EQ(made.compiled[1], (std::vector{all.measured[1].kernel, all.measured[3].kernel}));
  EXPECT_EQ(made.compiled[2], (std::vector{all.measured[5].kernel, all.measured[6].kernel}));
}

TEST(Search, CompilingCountsApart) {
  Made made;
  made.at_once = 8;
  made.compile_seconds = 3;
  made.search(14.5);
  // 3 + 1 for the first; of 10.5 left 3 are for compiling, 7 trials fit behind.
  ASSERT_EQ(made.compiled.size(), 2U);
  EXPECT_EQ(made.compiled[1].size(), 7U);
  EXPECT_EQ(made.measured.size(), 8U);
  EXPECT_LE(made.clock, 14.5);
}

TEST(Search, KeepsToItsBudget) {
  for (const double budget : {0.0, 1.0, 7.5}) {
    Made made;
    const auto found = made.search(budget);
    EXPECT_LE(made.clock, budget + (budget < 1 ? 1 : 0)) << "only the first trial cannot be foreseen";
    EXPECT_GE(made.clock, budget - 1);
    EXPECT_FALSE(found.complete);
    EXPECT_FALSE(found.stopped) << "by nobody";
  }
  Made made;
  made.clock = 10;
  EXPECT_TRUE(made.search(5).trials.empty()) << "the time is up before it begins";
}

TEST(Search, GoesOnWhereItWasStopped) {
  Made first;
  first.stop_after = 4;
  const auto cut = first.search(kNever);
  EXPECT_FALSE(cut.complete);
  EXPECT_TRUE(cut.stopped);
  ASSERT_EQ(first.measured.size(), 4U);
  Made second;
  for (const auto& trial : first.measured) second.known[{trial.kernel, trial.split_k}] = trial;
  const auto found = second.search(kNever);
  EXPECT_TRUE(found.complete);
  ASSERT_GE(found.trials.size(), 5U);
  for (std::size_t i = 0; i < found.trials.size(); ++i) EXPECT_EQ(found.trials[i].resumed, i < 4);
  for (const auto& trial : second.measured)
    EXPECT_FALSE(second.known.contains({trial.kernel, trial.split_k}));
  EXPECT_EQ(found.heuristic_seconds, first.measured.front().seconds);
  // With no time left, what is known still counts.
  Made third;
  third.known = second.known;
  EXPECT_TRUE(third.search(-1).best);
  EXPECT_TRUE(third.measured.empty());
}

TEST(Search, EndsWhereNothingMoreCanBeMeasured) {
  Made made;
  made.error = Error{ErrorCode::device_lost, "device", "gone"};
  const auto found = made.search(kNever);
  EXPECT_EQ(made.measured.size(), 1U);
  ASSERT_TRUE(found.error);
  EXPECT_EQ(found.error.value_or(Error{}).code, ErrorCode::device_lost);
  EXPECT_TRUE(found.best) << "what was measured is kept";
}

TEST(CandidateChecksum, DependsOnTheCandidatesAndTheTextsAlone) {
  const auto here = tuning::candidate_checksum(problem(), device());
  EXPECT_EQ(here.size(), 16U);
  EXPECT_EQ(here, tuning::candidate_checksum(problem(), device()));
  auto other = problem();
  other.a.type = other.b.type = DataType::f16;
  EXPECT_NE(here, tuning::candidate_checksum(other, device()));
  EXPECT_NE(here, tuning::candidate_checksum(problem(), *find_profile("lavapipe")));
  EXPECT_EQ(here, tuning::candidate_checksum(problem(), device(), text::fingerprint()));
  EXPECT_NE(here, tuning::candidate_checksum(problem(), device(), text::fingerprint() + 1));
}

TEST(Neighbours, FitAndDifferALittle) {
  for (const auto& profile : builtin_profiles()) {
    const auto choice = selection::rank(problem(), profile, {}, 1).front();
    const auto near = tuning::neighbours(choice, problem(), profile);
    EXPECT_FALSE(near.empty());
    double before = 0;
    for (const auto& each : near) {
      EXPECT_TRUE(selection::fit(each.kernel, problem(), profile)) << kernels::name(each.kernel);
      EXPECT_EQ(each.kernel.family, choice.kernel.family);
      int differences = each.split_k == choice.split_k ? 0 : 1;
      for (std::size_t i = 0; i < each.kernel.values.size(); ++i) {
        differences += each.kernel.values[i] == choice.kernel.values[i] ? 0 : 1;
      }
      EXPECT_TRUE(differences == 1 || differences == 2);
      EXPECT_GE(each.seconds, before);
      before = each.seconds;
      EXPECT_GE(each.split_k, 1U);
    }
  }
}

}  // namespace
}  // namespace wgemm::tune
