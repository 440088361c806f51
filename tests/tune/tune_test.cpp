// The whole on the adapter at hand, small: every trial judged, the budget kept, a lost device survived.
#include "tune/tune.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/lose.hpp"

namespace wgemm::tune {
namespace {

using ::testing::HasSubstr;

Problem small() {
  Problem problem;
  problem.m = problem.n = problem.k = 24;
  return problem;
}

struct Heard {
  std::vector<Trial> trials;
  std::vector<TuningEntry> entries;
  std::size_t begun = 0;

  Observer observer() {
    return {.begun = [&](const Problem&, std::size_t) { ++begun; },
            .progress = [](const Trial&, std::string_view, double) {},
            .finished = [&](const Trial& trial, const Trial*) { trials.push_back(trial); },
            .ended = [](const Found&) {},
            .keep = [&](const TuningEntry& entry) -> Result<void> {
              entries.push_back(entry);
              return {};
            }};
  }
};

class TuneOnEachLibrary : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ContextOptions device;
    device.webgpu = GetParam();
    device.tuning = std::make_shared<TuningData>();
    auto opened = Context::create(device);
    ASSERT_TRUE(opened) << opened.error().message;
    context = std::make_unique<Context>(std::move(*opened));
    options.problems = {small()};
    options.software = true;
    options.budget_seconds = 200;  // for a slow machine's driver: `stopped` ends the search
    options.tool = "test";
    options.stopped = [this] { return heard.trials.size() >= trials; };
  }

  std::unique_ptr<Context> context;
  Options options;
  Heard heard;
  std::size_t trials = 3;
};
INSTANTIATE_TEST_SUITE_P(Libraries, TuneOnEachLibrary, ::testing::Values("dawn", "wgpu"));

TEST_P(TuneOnEachLibrary, TrialsAreJudgedAndTheBestIsAnEntryThatPlansFollow) {
  const auto report = tune(*context, options, heard.observer());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->stopped);
  ASSERT_EQ(heard.trials.size(), 3U);
  for (const auto& trial : heard.trials) {
    ASSERT_TRUE(trial.ok()) << trial.kernel << ": " << trial.reason;
    EXPECT_GT(trial.seconds, 0);
    EXPECT_LE(trial.error_over_bound.value_or(2), 1);
  }
  ASSERT_EQ(heard.entries.size(), 1U);
  const auto& entry = heard.entries.front();
  EXPECT_EQ(entry.device, tuning_device(context->profile()));
  EXPECT_GT(entry.heuristic_seconds, 0);
  EXPECT_LE(entry.seconds, entry.heuristic_seconds);
  auto data = std::make_shared<TuningData>();
  data->entries = heard.entries;
  const auto plan = make_plan(small(), context->profile(), {}, data.get());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->kernel, entry.kernel);
}

TEST_P(TuneOnEachLibrary, ASearchThatIsCutShortReplacesNothingFaster) {
  TuningData known;
  options.known = [&]() -> Result<TuningData> { return known; };
  const auto kept = [&] {
    heard = {};
    trials = 1;
    const auto report = tune(*context, options, heard.observer());
    EXPECT_TRUE(report && !report->problems.at(0).found.complete && report->problems[0].found.best);
    EXPECT_EQ(report && report->problems.at(0).remains, heard.entries.empty());
    return !heard.entries.empty();
  };
  ASSERT_TRUE(kept()) << "nothing is known";
  const auto found = heard.entries.front();
  auto faster = found;
  faster.kernel = "naive";
  faster.seconds = 1e-12;
  known.entries = {faster};
  EXPECT_FALSE(kept());
  options.fresh = true;
  EXPECT_FALSE(kept()) << "measured afresh, but of fewer";
  known.entries = {found};
  known.entries[0].seconds = 1e3;
  EXPECT_TRUE(kept()) << "slower";
  known.entries = {faster, faster, faster, faster};
  known.entries[0].problem.m = 25;
  known.entries[1].device.driver = "another";
  known.entries[2].unchecked_shaders = true;
  known.entries[3].kernel = "of-another-version_BM7";
  EXPECT_TRUE(kept()) << "of something else, or of no use";
  options.known = []() -> Result<TuningData> { return fail(ErrorCode::io, "file", "damaged"); };
  heard = {};
  const auto report = tune(*context, options, heard.observer());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::io);
  EXPECT_TRUE(heard.entries.empty());
}

TEST_P(TuneOnEachLibrary, ALostDeviceIsOpenedAnew) {
  trials = 3;
  auto observer = heard.observer();
  std::size_t losses = 0;
  observer.progress = [&](const Trial&, std::string_view, double) {
    if (losses++ > 0) return;
    lose(*context);
  };
  const auto report = tune(*context, options, observer);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(heard.trials.size(), 3U);
  EXPECT_EQ(heard.trials[0].status, bench::Status::device_lost) << heard.trials[0].reason;
  EXPECT_TRUE(heard.trials[1].ok()) << heard.trials[1].reason;
  EXPECT_EQ(heard.entries.size(), 1U);
}

TEST_P(TuneOnEachLibrary, ASecondRunGoesOnAndFreshOneDoesNot) {
  options.journal =
      (std::filesystem::temp_directory_path() / (std::string("wgemm-tune-") + GetParam())).string();
  std::filesystem::remove(options.journal);
  trials = 2;
  ASSERT_TRUE(tune(*context, options, heard.observer()));
  const auto first = heard;
  heard = {};
  trials = 3;
  ASSERT_TRUE(tune(*context, options, heard.observer()));
  ASSERT_EQ(heard.trials.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(heard.trials[i].resumed);
    EXPECT_EQ(heard.trials[i].seconds, first.trials[i].seconds);
  }
  EXPECT_FALSE(heard.trials[2].resumed);
  heard = {};
  trials = 1;
  options.fresh = true;
  ASSERT_TRUE(tune(*context, options, heard.observer()));
  EXPECT_FALSE(heard.trials.at(0).resumed);
  std::filesystem::remove(options.journal);
}

TEST_P(TuneOnEachLibrary, CompilesSeveralAtOnceAndLosesNoneWithTheDevice) {
  options.journal =
      (std::filesystem::temp_directory_path() / (std::string("wgemm-tune-at-once-") + GetParam())).string();
  std::filesystem::remove(options.journal);
  options.at_once = 4;
  trials = 7;
  auto observer = heard.observer();
  observer.finished = [&](const Trial& trial, const Trial*) {
    heard.trials.push_back(trial);
    if (heard.trials.size() == 3) lose(*context);  // two are compiled that are not measured yet
  };
  const auto report = tune(*context, options, observer);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(heard.trials.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    const auto& trial = heard.trials[i];
    EXPECT_EQ(trial.status, i == 3 ? bench::Status::device_lost : bench::Status::ok)
        << i << ' ' << trial.reason;
  }
  const auto text = [&] {
    std::ifstream stream(options.journal);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }();
  const auto count = [&](const std::string& word) {
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  EXPECT_GE(count("\"compiling\""), 2U);
  EXPECT_EQ(count("\"compiled\""), count("\"compiling\""));
  std::filesystem::remove(options.journal);
}

TEST_P(TuneOnEachLibrary, TheBudgetIsKept) {
  options.problems = {small(), small()};
  options.problems[1].n = 40;
  options.budget_seconds = 6;
  trials = 1000;
  const auto begin = std::chrono::steady_clock::now();
  const auto report = tune(*context, options, heard.observer());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_TRUE(report) << report.error().message;
  // A trial that takes longer than those before it is not foreseen.
  EXPECT_LT(seconds, options.budget_seconds + 30);
  EXPECT_EQ(heard.begun, 2U) << "the second has its share";
}

TEST_P(TuneOnEachLibrary, ASoftwareAdapterWantsLeave) {
  if (context->profile().type != AdapterType::software) GTEST_SKIP() << "no software adapter here";
  options.software = false;
  const auto report = tune(*context, options, heard.observer());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().argument, "software");
  EXPECT_THAT(report.error().message, HasSubstr("software adapter"));
  EXPECT_EQ(heard.begun, 0U);
}

}  // namespace
}  // namespace wgemm::tune
