// Problems drawn from a seed, a test for each group that shares its shader texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/kernels/adapter_test.hpp"
#include "verify/fuzz/fuzzer.hpp"

namespace wgemm::tests {

/// Groups of the whole space for each library: 10,240 problems.
constexpr std::uint64_t kFuzzGroups = 20;
/// Groups of each family alone, under minimum limits. A group may draw operands that the family refuses,
/// several do not all.
constexpr std::uint64_t kFuzzGroupsOfAFamily = 6;
constexpr std::uint64_t kFuzzCasesOfAFamily = 12;  ///< of a group

/// One set of groups: a device, and the kernels that are drawn.
struct FuzzSet {
  Setting setting = Setting::standard;
  std::string family;  ///< "": all, and the planner's choice

  auto operator<=>(const FuzzSet&) const = default;
};

/// Group `group` of a set: all its problems are right, or refused for a good reason.
class FuzzTest : public AdapterTest {
 public:
  FuzzTest(FuzzSet set, std::uint64_t group) : set_(std::move(set)), group_(group) {}
  void TestBody() override;

 private:
  FuzzSet set_;
  std::uint64_t group_;
};

/// Registered behind the others: how many problems and texts there were.
class FuzzCoverageTest : public AdapterTest {
 public:
  void TestBody() override;
};

/// Registers all of them.
void register_fuzz_tests();

}  // namespace wgemm::tests
