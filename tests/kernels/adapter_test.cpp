#include "tests/kernels/adapter_test.hpp"

#include <functional>
#include <set>
#include <string>

#include "verify/guards.hpp"

namespace wgemm::tests {
namespace {

std::size_t verdict_count = 0;
std::set<std::size_t>& text_hashes() {
  static std::set<std::size_t> hashes;
  return hashes;
}

}  // namespace

void AdapterTest::SetUp() {
  auto& bench = Bench::get();
  if (!bench.is_installed()) GTEST_SKIP() << bench.library() << " is not on this machine";
  ASSERT_NE(bench.context(Setting::standard), nullptr) << bench.problem();
}

Result<Plan> guarded_plan(const Problem& problem, Setting setting, const PlanOptions& options) {
  const auto profile = Bench::get().profile(setting);
  auto plan = make_plan(problem, profile, options);
  if (plan) verify::extend_over_guards(*plan, profile.limits);
  return plan;
}

void expect_right(const Problem& problem, Setting setting, const PlanOptions& options) {
  SCOPED_TRACE(Bench::get().library() + ": " + options.kernel + " on " + describe(problem) + ", ld " +
               std::to_string(problem.a.ld) + " " + std::to_string(problem.b.ld) + " " +
               std::to_string(problem.c.ld) + (options.edges == EdgePolicy::padded ? ", padded" : ""));
  auto* const context = Bench::get().context(setting);
  ASSERT_NE(context, nullptr) << Bench::get().problem();
  const auto plan = guarded_plan(problem, setting, options);
  ASSERT_TRUE(plan) << plan.error().message;
  auto prepared = context->prepare(*plan);
  ASSERT_TRUE(prepared) << prepared.error().message;
  const auto verdict = verify::verify(*context, *prepared);
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_TRUE(verdict->ok) << verdict->reason;
  EXPECT_TRUE(verdict->exact);
  EXPECT_LE(verdict->error_over_bound, 1);
  ASSERT_EQ(verdict->compared, problem.m * problem.n * problem.batch.count());
  ++verdict_count;
  for (const auto& shader : plan->shaders) text_hashes().insert(std::hash<std::string>()(shader.wgsl));
}

std::size_t verdicts() { return verdict_count; }
std::size_t texts() { return text_hashes().size(); }

}  // namespace wgemm::tests
