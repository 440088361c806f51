// Runs on a software adapter: what becomes of rows that are right, wrong, refused, or too late.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/bench.hpp"
#include "bench/dispatch_budget.hpp"
#include "bench/run.hpp"

namespace wgemm::bench {
namespace {

using testing::HasSubstr;

const Observer kDeaf{.started = [](const Report&) {},
                     .progress = [](const Row&, std::string_view, double) {},
                     .finished = [](const Row&) {}};

Result<Report> run_rows(const std::vector<Product>& products, const Variations& variations,
                        double budget_seconds = 0) {
  Options options;
  options.rows = [&](const DeviceProfile&) { return rows_of(products, variations); };
  options.budget_seconds = budget_seconds;
  return run(options, kDeaf);
}

TEST(Run, JudgesAndTimesEveryRow) {
  const auto report =
      run_rows({{17, 9, 40}, {8, 8, 16, 3}}, {.types = {"f32", "i8"}, .kernels = {"tiled_TILE8"}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->good());
  EXPECT_GT(report->roofline.empty_dispatch_ms, 0);
  ASSERT_EQ(report->rows.size(), 4U);
  for (const auto& row : report->rows) {
    EXPECT_EQ(row.status, Status::ok) << row.reason;
    EXPECT_TRUE(row.time);
    EXPECT_TRUE(row.exact.value_or(false));
    EXPECT_EQ(row.compared, row.product.m * row.product.n * row.product.batch);
    EXPECT_FALSE(row.identity);
    EXPECT_GT(row.gflops.value_or(0), 0);
    EXPECT_THAT(row.kernel, HasSubstr("tiled_TILE8"));
  }
}

TEST(Run, SplitsKAndSaysSo) {
  const auto report = run_rows({{8, 8, 64}}, {.kernels = {"tiled_TILE8"}, .splits = {1, 4}});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->rows.size(), 2U);
  EXPECT_EQ(report->rows[0].split_k, 1U);
  EXPECT_EQ(report->rows[1].split_k, 4U);
  EXPECT_GT(report->rows[1].steps, report->rows[0].steps);
  EXPECT_TRUE(report->good());
}

TEST(Run, TimesAPreparedBWithoutItsPreparation) {
  // The kernel reads along k, so that a row-major B is transposed first.
  const auto report =
      run_rows({{16, 24, 32}},
               {.types = {"f32", "int4"}, .layouts = {"nn", "nt"}, .kernels = {"vec4"}, .prepared = true});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->rows.size(), 6U);
  for (const auto& row : report->rows) EXPECT_EQ(row.status, Status::ok) << row.reason;
  const auto& rows = report->rows;
  EXPECT_EQ(rows[0].steps, 2U);
  EXPECT_EQ(rows[1].steps, 1U);
  EXPECT_TRUE(rows[1].prepared);
  EXPECT_EQ(rows[1].note, "");
  // A transposed B lies as the kernel wants it.
  EXPECT_THAT(rows[3].note, HasSubstr("nothing to prepare"));
}

TEST(Run, KeepsToItsBudget) {
  const auto report = run_rows({{8, 8, 8}, {8, 8, 9}, {8, 8, 10}}, {.kernels = {"tiled_TILE8"}}, 1e-6);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->rows.size(), 3U);
  for (const auto& row : report->rows) {
    EXPECT_EQ(row.status, Status::not_run);
    EXPECT_FALSE(row.time);
    EXPECT_THAT(row.reason, HasSubstr("budget"));
  }
  EXPECT_TRUE(report->good());
}

TEST(Run, MeasuresAllRowsInTwoPassesAndJudgesThemOnce) {
  Options options;
  options.shaders = Shaders::both;
  options.rows = [](const DeviceProfile&) {
    return rows_of({{8, 8, 8}, {8, 8, 9}}, {.types = {"f32"}, .kernels = {"tiled_TILE8"}, .prepared = true});
  };
  std::vector<std::string> activities;
  std::size_t finished = 0;
  double last = 0;
  const Observer observer{.started = [](const Report&) {},
                          .progress =
                              [&](const Row& row, std::string_view activity, double done) {
                                if (row.product.m == 0) return;
                                EXPECT_GE(done, last);
                                last = done;
                                activities.emplace_back(activity);
                              },
                          .finished = [&](const Row&) { ++finished; }};
  const auto report = run(options, observer);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->rows.size(), 8U);
  EXPECT_EQ(finished, 8U);
  EXPECT_LE(last, 1);
  EXPECT_EQ(std::ranges::count(activities, "compiling and checking"), 8);
  for (std::size_t i = 0; i < report->rows.size(); ++i) {
    const auto& row = report->rows[i];
    EXPECT_EQ(row.wanted_unchecked, i >= 4);
    ASSERT_EQ(row.status, Status::ok) << row.reason;
    ASSERT_EQ(row.passes.size(), 2U);
    EXPECT_DOUBLE_EQ(row.time.value_or(Measurement{}).ms, (row.passes[0].ms + row.passes[1].ms) / 2);
  }
}

TEST(Run, LeavesLaterPassesOutWhereTheBudgetIsShort) {
  Options options;
  options.passes = 3;
  options.budget_seconds = 0.001;
  auto calls = 0;
  // The first row begins at once; whatever comes after it is late.
  options.rows = [&](const DeviceProfile&) {
    ++calls;
    return rows_of({{8, 8, 8}, {8, 8, 9}}, {.kernels = {"tiled_TILE8"}});
  };
  const auto report = run(options, kDeaf);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(calls, 1);
  ASSERT_EQ(report->rows.size(), 2U);
  EXPECT_EQ(report->rows[0].status, Status::ok) << report->rows[0].reason;
  EXPECT_EQ(report->rows[0].passes.size(), 1U);
  EXPECT_EQ(report->rows[0].note, "measured in 1 of 3 passes: the budget of 0.001 s was spent");
  EXPECT_EQ(report->rows[1].status, Status::not_run);
  EXPECT_EQ(report->rows[1].note, "");
}

TEST(Run, ErrorsOfTheRowsAreItsOwn) {
  Options options;
  options.rows = [](const DeviceProfile&) -> Result<std::vector<Row>> {
    return fail(ErrorCode::invalid_argument, "rows", "none wanted");
  };
  const auto report = run(options, kDeaf);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "none wanted");
}

TEST(DispatchBudget, ASmallProblemIsHarmlessOnADeviceThatIsFastEnough) {
  const auto cube = [](std::uint64_t edge) {
    Problem problem;
    problem.m = problem.n = problem.k = edge;
    return problem;
  };
  // At a two-thousandth of 60 TFLOP/s a product of 512 takes 9 ms, one of 1024 72.
  EXPECT_TRUE(DispatchBudget::is_harmless(cube(512), 60e12));
  EXPECT_FALSE(DispatchBudget::is_harmless(cube(1024), 60e12));
  EXPECT_FALSE(DispatchBudget::is_harmless(cube(512), 0.6e12));
}

TEST(Report, IsNotGoodWithAWrongRow) {
  Report report;
  for (const auto status : {Status::ok, Status::unsupported, Status::not_run}) {
    report.rows.emplace_back().status = status;
  }
  EXPECT_TRUE(report.good());
  for (const auto status : {Status::wrong, Status::failed, Status::device_lost}) {
    auto bad = report;
    bad.rows.emplace_back().status = status;
    EXPECT_FALSE(bad.good()) << to_string(status);
  }
}

TEST(Bench, AWrongKernelIsWrongAndHasNoTime) {
  auto context = Context::create();
  ASSERT_TRUE(context) << context.error().message;
  Problem problem;
  problem.m = problem.n = problem.k = 12;
  auto plan = make_plan(problem, context->profile(), {.kernel = "naive"});
  ASSERT_TRUE(plan) << plan.error().message;
  auto& text = plan->shaders.front().wgsl;
  const auto at = text.find("sum +=");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 6, "sum -=");
  const Roofline roofline;
  Bench bench(*context, roofline, 1, {});
  Outcome outcome;
  const auto done = bench.judge(outcome, *plan);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(outcome.status, Status::wrong);
  EXPECT_THAT(outcome.reason, HasSubstr("C(0, 0) ="));
  EXPECT_FALSE(outcome.time);
}

}  // namespace
}  // namespace wgemm::bench
