#include "tests/kernels/fuzz_test.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "tests/kernels/cases.hpp"
#include "tests/kernels/registration.hpp"

namespace wgemm::tests {
namespace {

/// Each library draws its own problems.
std::uint64_t seed() { return Bench::get().library() == "wgpu" ? 2 : 1; }

verify::fuzz::Fuzzer& fuzzer_of(const FuzzSet& set) {
  static std::map<FuzzSet, std::unique_ptr<verify::fuzz::Fuzzer>> fuzzers;
  auto& fuzzer = fuzzers[set];
  if (!fuzzer) {
    verify::fuzz::Options options{seed(), {}};
    if (!set.family.empty()) options.kernels.push_back(set.family);
    fuzzer = std::make_unique<verify::fuzz::Fuzzer>(*Bench::get().context(set.setting), options);
  }
  return *fuzzer;
}

std::string replay_command(const FuzzSet& set, const verify::fuzz::Failure& failure) {
  auto command = fmt::format("wgemm verify --replay {} --webgpu {}", failure.name, Bench::get().library());
  if (set.setting == Setting::minimum) command += " --limits minimum";
  if (!set.family.empty()) command += " --kernels " + set.family;
  return command;
}

}  // namespace

void FuzzTest::TestBody() {
  ASSERT_NE(Bench::get().context(set_.setting), nullptr) << Bench::get().problem();
  auto& fuzzer = fuzzer_of(set_);
  const auto& tally = fuzzer.tally();
  const auto before = tally.count();
  const auto failed = tally.failed;
  const auto told = tally.failures.size();
  const auto cases = set_.family.empty() ? verify::fuzz::kCasesOfAGroup : kFuzzCasesOfAFamily;
  const auto done = fuzzer.run_group(group_, cases);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(tally.count() - before, cases);
  EXPECT_EQ(tally.failed, failed);
  for (auto i = told; i < tally.failures.size(); ++i) {
    const auto& failure = tally.failures[i];
    ADD_FAILURE() << failure.problem << "\n  " << failure.reason << "\n  " << replay_command(set_, failure);
  }
}

void FuzzCoverageTest::TestBody() {
  if (GTEST_FLAG_GET(filter) != "*") GTEST_SKIP() << "a filter is set: not every group runs";
  const auto& tally = fuzzer_of({}).tally();
  std::string refused;
  for (const auto& [argument, count] : tally.refused) refused += fmt::format(" {} {}", count, argument);
  RecordProperty("fuzz", fmt::format("{} passed, {} failed, refused:{}; {} kernels, {} texts", tally.passed,
                                     tally.failed, refused, tally.kernels.size(), tally.texts.size()));
  EXPECT_EQ(tally.count(), kFuzzGroups * verify::fuzz::kCasesOfAGroup);
  EXPECT_EQ(tally.failed, 0);
  EXPECT_GE(tally.passed, tally.count() * 3 / 4);
  EXPECT_GE(tally.texts.size(), 120);
  for (const auto& family : list_kernels()) {
    const auto& minimum = fuzzer_of({Setting::minimum, std::string(family.name)}).tally();
    EXPECT_EQ(minimum.count(), kFuzzGroupsOfAFamily * kFuzzCasesOfAFamily) << family.name;
    EXPECT_GT(minimum.passed, 0) << family.name << " refused every problem";
  }
}

void register_fuzz_tests() {
  for (std::uint64_t group = 0; group < kFuzzGroups; ++group) {
    add_test<FuzzTest>(suite_name("Fuzz", "all"), fmt::format("group{:03}", group), FuzzSet{}, group);
  }
  std::uint64_t first = 1;  // a number of its own for each, or all families would draw the same types
  for (const auto& family : list_kernels()) {
    const FuzzSet set{Setting::minimum, std::string(family.name)};
    for (std::uint64_t group = first; group < first + kFuzzGroupsOfAFamily; ++group) {
      add_test<FuzzTest>(suite_name("FuzzMinimum", set.family), fmt::format("group{:03}", group), set, group);
    }
    first += kFuzzGroupsOfAFamily;
  }
  add_test<FuzzCoverageTest>(suite_name("Fuzz", "coverage"), "EveryGroupRan");
}

}  // namespace wgemm::tests
