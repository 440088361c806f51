// The user's measured choices on disk, and which of them a context goes by.
#include "wgemm/tuning_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fixture.hpp"
#include "wgemm/context.hpp"

#ifndef _WIN32

namespace wgemm {
namespace {

namespace fs = std::filesystem;

constexpr auto kKernel = "tiled_TILE8_ROWS1_PAD0";

Problem small() {
  Problem problem;
  problem.m = problem.n = problem.k = 96;
  return problem;
}

/// A cache folder of its own for each test.
class TuningFile : public OnBothLibraries {
 protected:
  void SetUp() override {
    if (const char* given = std::getenv("XDG_CACHE_HOME")) {
      before = given;
    }
    folder = fs::temp_directory_path() / ("wgemm-cache-" + std::to_string(getpid()));
    fs::remove_all(folder);
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  }
  void TearDown() override {
    fs::remove_all(folder);
    before ? setenv("XDG_CACHE_HOME", before->c_str(), 1) : unsetenv("XDG_CACHE_HOME");
  }

  [[nodiscard]] static TuningData data_for(const DeviceProfile& profile) {
    TuningEntry entry;
    entry.device = tuning_device(profile);
    entry.problem = tuning_problem(small());
    entry.kernel = kKernel;
    entry.seconds = 1e-3;
    return {{entry}};
  }
  [[nodiscard]] Result<Context> open(std::shared_ptr<const TuningData> tuning = nullptr) {
    ContextOptions options;
    options.webgpu = GetParam();
    options.tuning = std::move(tuning);
    options.log = [this](Severity severity, std::string_view message) {
      if (severity == Severity::warning) {
        warnings.emplace_back(message);
      }
    };
    return Context::create(options);
  }
  [[nodiscard]] static std::string kernel_of(Context& context) {
    const Result<PreparedPlan> prepared = context.prepare(small());
    EXPECT_TRUE(prepared) << prepared.error().message;
    return prepared ? prepared->plan().kernel : std::string();
  }

  fs::path folder;
  std::optional<std::string> before;
  std::vector<std::string> warnings;
};
WGEMM_ON_BOTH_LIBRARIES(TuningFile);

TEST_P(TuningFile, LiesInTheUsersCacheFolder) {
  EXPECT_EQ(tuning_file(), (folder / "wgemm" / "tuning.json").string());
  setenv("XDG_CACHE_HOME", "relative", 1);
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  EXPECT_EQ(tuning_file().find("relative"), std::string::npos);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(tuning_file(), "");
  setenv("HOME", "/home/somebody", 1);
  EXPECT_TRUE(tuning_file().starts_with("/home/somebody/"));
  home.empty() ? unsetenv("HOME") : setenv("HOME", home.c_str(), 1);
}

TEST_P(TuningFile, IsWrittenWholeAndReplaced) {
  const std::string path = tuning_file();
  EXPECT_EQ(load_tuning(path).error().code, ErrorCode::not_found);
  EXPECT_EQ(load_tuning(std::filesystem::temp_directory_path().string()).error().code, ErrorCode::io);
  const TuningData data = data_for(shared_context().profile());
  ASSERT_TRUE(save_tuning(path, data));
  EXPECT_EQ(load_tuning(path)->entries, data.entries);
  ASSERT_TRUE(save_tuning(path, {}));
  EXPECT_TRUE(load_tuning(path)->entries.empty());
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder / "wgemm")) {
    EXPECT_EQ(entry.path().filename(), "tuning.json");
    ++files;
  }
  EXPECT_EQ(files, 1U);
  EXPECT_EQ(save_tuning("/dev/null/tuning.json", data).error().code, ErrorCode::io);
}

// Threads do as processes do: the lock is of the opened file, not of the process.
TEST_P(TuningFile, LosesNothingThatIsAddedAtOnce) {
  constexpr std::size_t kWriters = 4;
  constexpr std::size_t kEntries = 25;
  const TuningData data = data_for(shared_context().profile());
  std::vector<std::thread> writers;
  writers.reserve(kWriters);
  for (std::size_t writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      for (std::size_t i = 0; i < kEntries; ++i) {
        TuningData own = data;
        own.entries.front().problem.m = 1 + writer * kEntries + i;
        EXPECT_TRUE(add_tuning(tuning_file(), own));
      }
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  EXPECT_EQ(load_tuning(tuning_file())->entries.size(), kWriters * kEntries);
  std::ofstream(tuning_file(), std::ios::binary) << "{";
  EXPECT_FALSE(add_tuning(tuning_file(), data)) << "what cannot be understood is not replaced";
  EXPECT_EQ(add_tuning("/dev/null/tuning.json", data).error().code, ErrorCode::io);
}

TEST_P(TuningFile, IsFollowedByContextsThatAreGivenNothingElse) {
  ASSERT_TRUE(save_tuning(tuning_file(), data_for(shared_context().profile())));
  Result<Context> context = open();
  ASSERT_TRUE(context) << context.error().message;
  EXPECT_EQ(kernel_of(*context), kKernel);
  Result<Context> without = open(std::make_shared<TuningData>());
  ASSERT_TRUE(without);
  EXPECT_NE(kernel_of(*without), kKernel);
  EXPECT_TRUE(without->tuning().entries.empty());
}

TEST_P(TuningFile, AnApplicationGivesItsOwn) {
  Result<Context> context = open(std::make_shared<TuningData>(data_for(shared_context().profile())));
  ASSERT_TRUE(context) << context.error().message;
  EXPECT_EQ(kernel_of(*context), kKernel);
  ASSERT_TRUE(context->reopen());
  EXPECT_EQ(kernel_of(*context), kKernel) << "also on a new device";
}

TEST_P(TuningFile, ADamagedOneIsToldAndIgnored) {
  fs::create_directories(folder / "wgemm");
  for (const char* text :
       {"", "{", "[]", R"({"format": "wgemm tuning", "version": 99, "entries": []})", "\xff"}) {
    std::ofstream(tuning_file(), std::ios::binary) << text;
    warnings.clear();
    Result<Context> context = open();
    ASSERT_TRUE(context) << context.error().message;
    EXPECT_FALSE(kernel_of(*context).empty());
    const bool told = std::ranges::any_of(warnings, [](const std::string& each) {
      return each.find("measured choices are ignored") != std::string::npos &&
             each.find("tuning.json") != std::string::npos;
    });
    EXPECT_TRUE(told) << text;
  }
}

}  // namespace
}  // namespace wgemm

#endif
