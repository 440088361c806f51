// kernel_tests: every kernel on the adapter of one WebGPU library, against float64 references. The cases come
// from cases.hpp and are registered at run time, one test each; the other files hold what is no such case.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "tests/kernels/adapter_test.hpp"
#include "tests/kernels/cases.hpp"
#include "tests/kernels/fuzz_test.hpp"
#include "tests/kernels/registration.hpp"
#include "tests/kernels/split.hpp"
#include "wgemm/environment.hpp"
#include "wgemm/ladder.hpp"

namespace wgemm::tests {
namespace {

std::map<std::string, std::size_t>& registered() {
  static std::map<std::string, std::size_t> by_suite;
  return by_suite;
}

class CaseTest : public AdapterTest {
 public:
  explicit CaseTest(Case tested) : case_(std::move(tested)) {}
  void TestBody() override { expect_right(case_.problem, case_.setting, case_.options); }

 private:
  Case case_;
};

class SplitTest : public AdapterTest {
 public:
  SplitTest(Subject subject, const Layout& layout) : subject_(std::move(subject)), layout_(layout) {}
  void TestBody() override { expect_same_bits_when_split(subject_, layout_); }

 private:
  Subject subject_;
  Layout layout_;
};

/// Registered last: that the cases above ran, and that there were as many as the ladder asks for.
class CoverageTest : public AdapterTest {
 public:
  explicit CoverageTest(std::size_t cases) : cases_(cases) {}

  void TestBody() override {
    for (const auto& rung : list_rungs()) expect_cases_of(rung);
    for (const auto& subject : subjects(Setting::standard)) expect_cases_of(subject);
    for (const auto& subject : subjects(Setting::minimum)) expect_cases_of(subject);
    EXPECT_EQ(emulated_subjects().size(), Bench::get().profile(Setting::emulated).shader_f16 ? 19 : 10);
    if (GTEST_FLAG_GET(filter) != "*") GTEST_SKIP() << "a filter is set: not every case runs";
    EXPECT_GE(verdicts(), cases_) << "some cases came to no verdict";
    // At least four layouts with checks and two without, for each kernel (faults.md 5).
    EXPECT_GE(texts(), 6 * light_subjects(Setting::standard).size());
  }

 private:
  static void expect_cases_of(const Rung& rung) {
    const std::string name(rung.name);
    const auto counted = [&](const std::string& group) { return registered()[suite_name(group, name)]; };
    if (counted("Kernels") == 0) {
      // A rung that the device cannot run must be the one for matrix units, which is emulated then.
      EXPECT_EQ(name, "subgroup-matrix");
      return;
    }
    EXPECT_GE(counted("Kernels"), 18) << name;
    EXPECT_GE(counted("Unchecked"), 8) << name;
  }

  static void expect_cases_of(const Subject& subject) {
    if (!subject.heavy) {
      const auto group = subject.setting == Setting::minimum ? "Minimum" : "Kernels";
      EXPECT_EQ(registered()[suite_name(group, subject.label)], kFullCases) << subject.label;
    }
  }

  std::size_t cases_;
};

void register_tests() {
  auto& bench = Bench::get();
  // Without a device there are no cases; the other tests say why.
  if (!bench.is_installed() || bench.context(Setting::standard) == nullptr) return;
  const auto cases = all_cases();
  for (const auto& each : cases) {
    ++registered()[each.suite];
    add_test<CaseTest>(each.suite, each.name, each);
  }
  for (const auto& subject : light_subjects(Setting::standard)) {
    for (const auto& layout : {all_layouts().front(), all_layouts().back()}) {
      add_test<SplitTest>(suite_name("Split", subject.label), letters(layout), subject, layout);
    }
  }
  register_fuzz_tests();
  add_test<CoverageTest>("Coverage", "EveryCaseRan", cases.size());
}

}  // namespace
}  // namespace wgemm::tests

int main(int argc, char** argv) {
  wgemm::prepare_environment();
  GTEST_FLAG_SET(brief, true);
  testing::InitGoogleTest(&argc, argv);
  wgemm::tests::register_tests();
  return RUN_ALL_TESTS();
}
