// What a search leaves on disk, and what the next one finds there.
#include "tune/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>

namespace wgemm::tune {
namespace {

Trial recalled(const std::optional<Trial>& found) {
  EXPECT_TRUE(found);
  return found.value_or(Trial{});
}

namespace fs = std::filesystem;
using bench::Status;
using ::testing::HasSubstr;

class JournalFile : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return (folder_ / "deep" / "trials.jsonl").string(); }
  [[nodiscard]] Journal open() const {
    auto journal = Journal::open(path());
    EXPECT_TRUE(journal) << journal.error().message;
    return std::move(*journal);
  }
  void append(const std::string& text) const {
    std::ofstream(path(), std::ios::app | std::ios::binary) << text;
  }
  [[nodiscard]] std::string text() const {
    std::ifstream stream(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  static Session session() {
    Session session;
    session.device = tuning_device(*find_profile("h200"));
    session.problem.m = session.problem.n = session.problem.k = 100;
    session.candidates = "0123456789abcdef";
    return session;
  }
  static Trial trial() {
    Trial trial;
    trial.kernel = "tiled_TILE8_ROWS1_PAD0";
    trial.split_k = 2;
    trial.seconds = 1.25e-3;
    trial.spread = 0.01;
    trial.error_over_bound = 0.125;
    return trial;
  }
  void keep(Journal& journal, const Trial& trial) const {
    ASSERT_TRUE(journal.begin(session(), trial));
    ASSERT_TRUE(journal.end(session(), trial, "2026-11-30T08:00:00Z", "wgemm test"));
  }

 private:
  fs::path folder_ =
      fs::temp_directory_path() /
      ("wgemm-journal-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(JournalFile, WhatOneRunFoundTheNextOneKnows) {
  auto journal = open();
  keep(journal, trial());
  auto wrong = trial();
  wrong.kernel = "naive";
  wrong.status = Status::wrong;
  wrong.seconds = 0;
  wrong.reason = "C[0, 1] is 5";
  keep(journal, wrong);

  const auto next = open();
  EXPECT_EQ(next.skipped_lines(), 0U);
  const auto known = recalled(next.recall(session(), trial().kernel, 2));
  EXPECT_TRUE(known.ok());
  EXPECT_EQ(known.seconds, trial().seconds);
  EXPECT_EQ(known.spread, trial().spread);
  EXPECT_EQ(recalled(next.recall(session(), "naive", 2)).status, Status::wrong);
  EXPECT_EQ(recalled(next.recall(session(), "naive", 2)).reason, wrong.reason);
  EXPECT_FALSE(next.recall(session(), trial().kernel, 1));
  EXPECT_FALSE(next.recall(session(), "vec4", 2));
}

TEST_F(JournalFile, ResultsBelongToTheirSession) {
  auto journal = open();
  keep(journal, trial());
  const auto next = open();
  auto other = session();
  other.candidates = "fedcba9876543210";
  EXPECT_FALSE(next.recall(other, trial().kernel, 2));
  other = session();
  other.device.driver = "another";
  EXPECT_FALSE(next.recall(other, trial().kernel, 2));
  other = session();
  other.problem.k = 101;
  EXPECT_FALSE(next.recall(other, trial().kernel, 2));
  other = session();
  other.unchecked_shaders = true;
  EXPECT_FALSE(next.recall(other, trial().kernel, 2));
}

TEST_F(JournalFile, ATrialThatEndedItsProcessTwiceIsNotTriedAgain) {
  ASSERT_TRUE(open().begin(session(), trial()));
  EXPECT_FALSE(open().recall(session(), trial().kernel, 2)) << "somebody may have stopped it";
  ASSERT_TRUE(open().begin(session(), trial()));
  const auto known = recalled(open().recall(session(), trial().kernel, 2));
  EXPECT_EQ(known.status, Status::failed);
  EXPECT_THAT(known.reason, HasSubstr("two earlier runs"));
  auto journal = open();
  keep(journal, trial());  // --fresh
  EXPECT_TRUE(recalled(open().recall(session(), trial().kernel, 2)).ok());
}

TEST_F(JournalFile, ATornLineIsSkippedAndSwallowsNothing) {
  auto journal = open();
  keep(journal, trial());
  const auto whole = text();
  fs::resize_file(path(), whole.size() - 20);
  auto second = open();
  EXPECT_EQ(second.skipped_lines(), 1U);
  EXPECT_FALSE(second.recall(session(), trial().kernel, 2));
  keep(second, trial());
  EXPECT_TRUE(open().recall(session(), trial().kernel, 2));
}

TEST_F(JournalFile, ForeignLinesAreSkipped) {
  auto journal = open();
  keep(journal, trial());
  append("not json\n[1, 2]\n{}\n{\"kernel\": 5}\n\n\xff\xfe\n");
  auto zero = nlohmann::json::parse(
      text().substr(text().find('\n') + 1, text().find('\n', text().find('\n') + 1) - text().find('\n') - 1));
  zero["seconds"] = 0;
  zero["kernel"] = "vec4";
  append(zero.dump() + "\n");
  const auto next = open();
  EXPECT_EQ(next.skipped_lines(), 6U);
  EXPECT_TRUE(next.recall(session(), trial().kernel, 2));
  EXPECT_FALSE(next.recall(session(), "vec4", 2)) << "right, in no time at all";
}

TEST_F(JournalFile, EveryLineIsAnObjectWithItsConditions) {
  auto journal = open();
  keep(journal, trial());
  std::istringstream lines(text());
  std::string line;
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json.at("candidates"), session().candidates);
    EXPECT_EQ(json.at("device").at("vendor"), "nvidia");
    ++count;
  }
  EXPECT_EQ(count, 2U);
}

TEST(Journal, WithoutAFileKeepsNothing) {
  auto journal = Journal::open("");
  ASSERT_TRUE(journal);
  EXPECT_TRUE(journal->begin({}, {}));
}

TEST(Journal, AFolderThatCannotBeWrittenIsAnError) {
  const auto journal = Journal::open("/dev/null/trials.jsonl");
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().code, ErrorCode::io);
}

TEST_F(JournalFile, TellsOfAProcessThatDiedWhileItCompiledSeveral) {
  auto journal = open();
  EXPECT_FALSE(open().died_compiling(session()));
  ASSERT_TRUE(journal.begin_compiling(session()));
  EXPECT_TRUE(open().died_compiling(session()));
  auto other = session();
  other.problem.m = 7;
  EXPECT_FALSE(open().died_compiling(other));
  ASSERT_TRUE(journal.end_compiling(session()));
  keep(journal, trial());
  EXPECT_FALSE(open().died_compiling(session()));
  EXPECT_EQ(open().skipped_lines(), 0U);
  EXPECT_TRUE(open().recall(session(), trial().kernel, 2));
  // The next one that dies is not made good by one that did not.
  ASSERT_TRUE(journal.begin_compiling(session()));
  ASSERT_TRUE(journal.begin_compiling(session()));
  ASSERT_TRUE(journal.end_compiling(session()));
  EXPECT_TRUE(open().died_compiling(session()));
}

}  // namespace
}  // namespace wgemm::tune
