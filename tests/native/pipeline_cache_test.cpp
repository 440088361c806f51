// Compiled pipelines on disk: found again, and never in the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "fixture.hpp"
#include "native/cache/blob_file.hpp"
#include "native/cache/blob_folder.hpp"

namespace wgemm {
namespace {

namespace fs = std::filesystem;

class PipelineCacheTest : public testing::Test {
 protected:
  PipelineCacheTest()
      : folder(
            fs::path(testing::TempDir()) /
            ("wgemm-cache-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()))) {}
  ~PipelineCacheTest() override { fs::remove_all(folder); }

  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (fs::is_directory(folder)) {
      for (const auto& entry : fs::directory_iterator(folder)) {
        found.push_back(entry.path());
      }
    }
    return found;
  }

  [[nodiscard]] ContextOptions options(const std::string& library = "dawn") const {
    ContextOptions options = options_for(library);
    options.pipeline_cache = folder.string();
    return options;
  }

  /// Opens a context, makes a product on it, and tells what its cache did.
  static PipelineCacheUse multiply(const ContextOptions& options) {
    Context context = open(options);
    const std::vector<float> a = {1, 2, 3, 4};
    const Result<std::vector<float>> c = context.matmul(2, 2, 2, a, a);
    EXPECT_TRUE(c) << c.error().message;
    EXPECT_EQ(c.value_or(std::vector<float>()), (std::vector<float>{7, 10, 15, 22}));
    return context.pipeline_cache();
  }

  void change_all(void (*change)(const fs::path&)) const {
    for (const fs::path& file : files()) {
      change(file);
    }
  }

  fs::path folder;
};

TEST_F(PipelineCacheTest, SecondContextFindsWhatTheFirstCompiled) {
  const PipelineCacheUse first = multiply(options());
  EXPECT_EQ(first.folder, folder.string());
  EXPECT_EQ(first.hits, 0);
  EXPECT_GT(first.misses, 0);
  EXPECT_GT(first.stored, 0);
  EXPECT_EQ(files().size(), first.stored);
  const PipelineCacheUse second = multiply(options());
  EXPECT_EQ(second.hits, first.stored);
  EXPECT_EQ(second.misses, 0);
  EXPECT_EQ(second.stored, 0);
}

TEST_F(PipelineCacheTest, DamagedFilesAreIgnoredAndReplaced) {
  const std::uint64_t stored = multiply(options()).stored;
  for (const auto change :
       {+[](const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 1); },
        +[](const fs::path& file) { fs::resize_file(file, 0); },
        +[](const fs::path& file) {
          std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
          stream.seekg(-1, std::ios::end);
          const int last = stream.get();
          stream.seekp(-1, std::ios::end);
          stream.put(static_cast<char>(last ^ 1));
        },
        +[](const fs::path& file) { std::ofstream(file) << "something else entirely"; }}) {
    change_all(change);
    const PipelineCacheUse damaged = multiply(options());
    EXPECT_EQ(damaged.hits, 0);
    EXPECT_EQ(damaged.unusable, stored);
    EXPECT_EQ(damaged.stored, stored);
    EXPECT_EQ(multiply(options()).hits, stored);
  }
}

TEST_F(PipelineCacheTest, FilesOfOtherKeysAreIgnored) {
  const std::uint64_t stored = multiply(options()).stored;
  ASSERT_GE(stored, 2);
  // Each under the name of the next one.
  std::vector<fs::path> names = files();
  std::ranges::sort(names);
  const fs::path last = folder / "last";
  fs::rename(names.back(), last);
  for (std::size_t i = names.size() - 1; i > 0; --i) {
    fs::rename(names[i - 1], names[i]);
  }
  fs::rename(last, names.front());
  const PipelineCacheUse use = multiply(options());
  EXPECT_EQ(use.hits, 0);
  EXPECT_EQ(use.unusable, stored);
}

TEST_F(PipelineCacheTest, FoldersInThePlaceOfFilesAreIgnored) {
  const std::uint64_t stored = multiply(options()).stored;
  ASSERT_GE(stored, 2);
  for (const fs::path& file : files()) {
    fs::remove(file);
    fs::create_directory(file);
  }
  const PipelineCacheUse use = multiply(options());
  EXPECT_EQ(use.hits, 0);
  EXPECT_EQ(use.unusable, stored);
}

TEST_F(PipelineCacheTest, CheckedShadersAreNotTakenForUncheckedOnes) {
  multiply(options());
  ContextOptions unchecked = options();
  unchecked.unchecked_shaders = true;
  EXPECT_EQ(multiply(unchecked).hits, 0);
}

TEST_F(PipelineCacheTest, IsOffWhereItIsSwitchedOffOrTheLibraryHasNone) {
  ContextOptions off = options();
  off.pipeline_cache = "off";
  const PipelineCacheUse none = multiply(off);
  EXPECT_EQ(none.folder, "");
  EXPECT_EQ(none.misses + none.stored, 0);
  EXPECT_EQ(multiply(options("wgpu")).folder, "");
  EXPECT_TRUE(files().empty());
}

TEST_F(PipelineCacheTest, FolderThatCannotBeWrittenIsToldOnceAndHarmless) {
  std::ofstream(folder) << "a file where the folder should be";
  std::mutex mutex;
  std::vector<std::string> told;
  ContextOptions blocked = options();
  blocked.log = [&](Severity severity, std::string_view text) {
    const std::lock_guard lock(mutex);
    if (severity == Severity::warning && text.find("not kept") != std::string_view::npos) {
      told.emplace_back(text);
    }
  };
  EXPECT_EQ(multiply(blocked).stored, 0);
  const std::lock_guard lock(mutex);
  ASSERT_EQ(told.size(), 1);
  EXPECT_NE(told.front().find(folder.string()), std::string::npos);
}

TEST_F(PipelineCacheTest, WhatWasUsedLongestAgoGoesFirst) {
  constexpr std::size_t kValue = 1000;
  const std::uint64_t each = native::blob_file_bytes("0", std::string(kValue, 'x'));
  native::BlobFolder cache(folder.string(), 8 * each, {});
  for (int i = 0; i < 8; ++i) {
    cache.store(std::to_string(i), std::string(kValue, 'x'));
    change_all([](const fs::path& file) {
      fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
    });
  }
  std::ofstream(folder / "a file of the user") << std::string(10 * kValue, 'x');
  EXPECT_FALSE(cache.find("0").empty());  // used now
  cache.store("8", std::string(kValue, 'x'));
  EXPECT_FALSE(cache.find("0").empty());
  EXPECT_FALSE(cache.find("8").empty());
  EXPECT_TRUE(cache.find("1").empty());
  EXPECT_TRUE(cache.find("2").empty());
  EXPECT_FALSE(cache.find("7").empty());
  EXPECT_TRUE(fs::exists(folder / "a file of the user"));
  cache.store("too large", std::string(9 * each, 'x'));
  EXPECT_TRUE(cache.find("too large").empty());
}

TEST_F(PipelineCacheTest, ManyWritersAndReadersSeeWholeValuesOnly) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 100;
  // Two objects, as two processes would have; small enough that values go all the time.
  native::BlobFolder first(folder.string(), 64 << 10, {});
  native::BlobFolder second(folder.string(), 64 << 10, {});
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      native::BlobFolder& cache = t % 2 == 0 ? first : second;
      for (int i = 0; i < kRounds; ++i) {
        const std::string key = std::to_string(i % 7);
        // One key has values of many lengths, each of one letter.
        cache.store(key, std::string(1000 + 500 * ((i + t) % 20), static_cast<char>('a' + t)));
        const std::string value = cache.find(key);
        wrong += std::ranges::any_of(value, [&](char c) { return c != value.front(); }) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(first.use().unusable + second.use().unusable, 0);
  EXPECT_GT(first.use().hits + second.use().hits, 0);
  EXPECT_TRUE(std::ranges::none_of(files(), [](const fs::path& file) { return file.extension() == ".tmp"; }));
}

}  // namespace
}  // namespace wgemm
