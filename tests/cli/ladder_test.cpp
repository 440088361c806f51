// The ladder as a library: what it does when things go wrong half way up, and how it chooses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "bench/dispatch_budget.hpp"
#include "ladder/ladder.hpp"
#include "ladder/size.hpp"
#include "ladder/sweep.hpp"
#include "tests/lose.hpp"
#include "wgemm/ladder.hpp"

namespace wgemm::ladder {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Options small_ladder() {
  Options options;
  options.m = options.n = options.k = 16;
  options.only = {"naive", "tiled-8", "tiled-16"};
  options.padding = Padding::none;
  return options;
}

class OnEachLibrary : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Ladder, OnEachLibrary, testing::Values("dawn", "wgpu"));

TEST_P(OnEachLibrary, RowsBeforeALostDeviceAreKept) {
  ContextOptions device;
  device.webgpu = GetParam();
  auto context = Context::create(device);
  ASSERT_TRUE(context) << context.error().message;
  std::vector<std::string> heard;
  const Observer observer{.started = [](const Report&) {},
                          .progress = [](const Row&, std::string_view, double) {},
                          .finished =
                              [&](const Row& row) {
                                heard.push_back(row.name);
                                if (row.name == "naive") lose(*context);
                              }};
  const auto report = climb(*context, small_ladder(), observer);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->good());
  EXPECT_THAT(heard, ElementsAre("noop", "naive", "tiled-8", "tiled-16"));
  ASSERT_EQ(report->rows.size(), heard.size());
  EXPECT_EQ(report->rows[1].status, Status::ok);
  EXPECT_TRUE(report->rows[1].time);
  EXPECT_EQ(report->rows[2].status, Status::device_lost) << report->rows[2].reason;
  EXPECT_EQ(report->rows[3].status, Status::device_lost);
  EXPECT_THAT(report->rows[3].reason, HasSubstr("lost at tiled-8"));
}

TEST_P(OnEachLibrary, SpeedUpsAreOverTheRungBeforeAndOverNaive) {
  auto options = small_ladder();
  options.device.webgpu = GetParam();
  options.padding = Padding::all;
  const auto report = climb(options, {.started = [](const Report&) {},
                                      .progress = [](const Row&, std::string_view, double) {},
                                      .finished = [](const Row&) {}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->good());
  const auto& rows = report->rows;
  ASSERT_EQ(rows.size(), 6U);  // noop, naive, and both tiles with and without padding
  const auto ms = [&](std::size_t i) { return rows[i].time.value_or(Measurement{}).ms; };
  EXPECT_FALSE(rows[1].speedup_before);
  EXPECT_DOUBLE_EQ(rows[2].speedup_before.value_or(0), ms(1) / ms(2));
  EXPECT_EQ(rows[3].edges, EdgePolicy::padded);
  EXPECT_DOUBLE_EQ(rows[3].speedup_before.value_or(0), ms(2) / ms(3));
  // A padded row is a side step: the next rung compares with the one without padding.
  EXPECT_DOUBLE_EQ(rows[4].speedup_before.value_or(0), ms(2) / ms(4));
  EXPECT_DOUBLE_EQ(rows[4].speedup_naive.value_or(0), ms(1) / ms(4));
}

TEST_P(OnEachLibrary, ADispatchOfAnUnknownKernelIsShort) {
  ContextOptions device;
  device.webgpu = GetParam();
  auto context = Context::create(device);
  ASSERT_TRUE(context) << context.error().message;
  Problem problem;
  problem.m = problem.n = problem.k = 1024;
  auto budget = bench::DispatchBudget::calibrate(*context, problem, 1e10);
  ASSERT_TRUE(budget) << budget.error().message;
  EXPECT_GT(budget->max_flops(), 1e5);
  EXPECT_LT(budget->max_flops(), 1e15);
  // Faster kernels get more to do in a dispatch, slower ones never less than before.
  const double before = budget->max_flops();
  budget->learn(1e3);
  EXPECT_EQ(budget->max_flops(), before);
  budget->learn(1e16);
  EXPECT_GT(budget->max_flops(), before);
}

TEST(Ladder, UnknownRungsAndDevicesAreErrors) {
  const Observer deaf;
  Options options;
  options.only = {"nonsense"};
  const auto rung = climb(options, deaf);
  ASSERT_FALSE(rung);
  EXPECT_EQ(rung.error().code, ErrorCode::not_found);
  EXPECT_THAT(rung.error().message, HasSubstr("register-tile"));
  Options elsewhere;
  elsewhere.device.webgpu = "/nowhere/lib.so";
  EXPECT_FALSE(climb(elsewhere, deaf));
}

TEST(FittingSize, FollowsTheDevice) {
  DeviceProfile profile;
  profile.type = AdapterType::software;
  EXPECT_EQ(fitting_size(profile, 1e15), 256U);
  profile.type = AdapterType::discrete;
  EXPECT_EQ(fitting_size(profile, 6e13), 4096U);
  profile.type = AdapterType::integrated;
  EXPECT_LT(fitting_size(profile, 4e11), 4096U);
  EXPECT_GE(fitting_size(profile, 1e3), 512U);
}

TEST(SweepRows, VaryOneThingAGroupAndFitTheDevice) {
  for (const auto& profile : builtin_profiles()) {
    std::set<std::string> groups;
    std::set<std::string> labels;
    for (const auto& row : sweep_rows(profile)) {
      groups.insert(row.group);
      EXPECT_TRUE(labels.insert(row.group + row.name).second) << row.group << ": " << row.name << " twice";
    }
    EXPECT_EQ(groups.size(), 6U) << profile.name;
  }
}

}  // namespace
}  // namespace wgemm::ladder
