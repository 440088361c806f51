// What is chosen where nobody names a kernel, on devices of many kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/selection/candidates.hpp"
#include "core/selection/choice.hpp"
#include "core/selection/device_model.hpp"
#include "core/selection/model.hpp"
#include "tests/core/devices.hpp"
#include "tests/core/public_devices.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

struct Sizes {
  std::uint64_t m, n, k;
};
constexpr std::array kSizes{Sizes{1, 1, 1},        Sizes{1, 4096, 4096},    Sizes{4096, 1, 4096},
                            Sizes{16, 4096, 4096}, Sizes{64, 64, 65536},    Sizes{256, 256, 16384},
                            Sizes{300, 300, 300},  Sizes{1024, 1024, 1024}, Sizes{4095, 4097, 4093}};
constexpr std::array kTypesOfA{DataType::f32, DataType::f16, DataType::i8};

Problem problem_of(const Sizes& sizes, DataType type) {
  auto problem = testing::problem(sizes.m, sizes.n, sizes.k);
  problem.a.type = problem.b.type = type;
  if (type == DataType::i8) problem.c.type = DataType::i32;
  return problem;
}

template <typename Visit>
void for_each_choice(Visit visit) {
  for (const auto& profile : testing::public_devices()) {
    for (const auto type : kTypesOfA) {
      for (const auto& sizes : kSizes) {
        const auto problem = problem_of(sizes, type);
        SCOPED_TRACE(describe(problem) + " on " + profile.name);
        const auto ranked = selection::rank(problem, profile, {}, 1);
        ASSERT_EQ(ranked.size(), 1U);
        visit(profile, problem, ranked.front());
      }
    }
  }
}

const Step& multiply_step(const Plan& plan) {
  return *std::ranges::find_if(plan.steps, [](const Step& step) { return step.kind == StepKind::multiply; });
}

TEST(Selection, TheChoiceIsWithinTheDevicesLimits) {
  for_each_choice([](const DeviceProfile& profile, const Problem& problem, const selection::Choice& choice) {
    EXPECT_TRUE(kernels::check(choice.kernel, profile, problem.a.type));
    const auto plan = make_plan(problem, profile, {}, nullptr);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->kernel, kernels::name(choice.kernel));
    for (const auto& shader : plan->shaders) {
      const auto [x, y, z] = shader.workgroup_size;
      EXPECT_LE(x * y * z, profile.limits.max_compute_invocations_per_workgroup);
    }
    EXPECT_LE(choice.geometry.workgroup_bytes, profile.limits.max_compute_workgroup_storage_size);
  });
}

TEST(Selection, LargeProductsGiveAtLeastAThirdOfTheUnitsWork) {
  for_each_choice([](const DeviceProfile& profile, const Problem& problem, const selection::Choice& choice) {
    if (profile.type == AdapterType::software || problem.flops() < 1e8) return;
    const auto plan = make_plan(problem, profile, {}, nullptr).value();
    double groups = 0;
    for (const auto& dispatch : multiply_step(plan).dispatches) {
      groups += static_cast<double>(dispatch.workgroups[0]) * dispatch.workgroups[1] * dispatch.workgroups[2];
    }
    const double blocks = static_cast<double>(problem.m * problem.n) / (16 * 16);
    const double units = selection::device_model(profile).units;
    // Where k is cut, a second pass has to be paid for too.
    EXPECT_GE(groups, std::min(units / 3, blocks)) << kernels::name(choice.kernel) << " / " << choice.split_k;
  });
}

TEST(Selection, MatrixUnitsMultiplyWhereTheTypeAllows) {
  const auto devices = testing::public_devices();
  const auto uses_units = [&](std::string_view vendor, DataType type) {
    const auto device = std::ranges::find(devices, vendor, &DeviceProfile::vendor);
    const auto ranked = selection::rank(problem_of({1024, 1024, 1024}, type), *device, {}, 1);
    return ranked.front().kernel.family->matrix_units;
  };
  EXPECT_TRUE(uses_units("apple", DataType::f32));
  EXPECT_FALSE(uses_units("apple", DataType::f16)) << "its units add f16 in f16";
  EXPECT_TRUE(uses_units("nvidia", DataType::f16));
  EXPECT_FALSE(uses_units("nvidia", DataType::f32));
  EXPECT_FALSE(uses_units("amd", DataType::f16)) << "it reports no units";
}

TEST(Selection, UnitsThatCannotDoTheProblemAreLeftAlone) {
  auto problem = problem_of({1024, 1024, 1024}, DataType::f16);
  problem.accumulate = Accumulate::f16;
  const auto device = *find_profile("h200");
  EXPECT_FALSE(selection::rank(problem, device, {}, 1).front().kernel.family->matrix_units);
  problem.accumulate = Accumulate::standard;
  auto emulated = device;
  emulated.matrix_dialect = MatrixDialect::emulated;
  EXPECT_FALSE(selection::rank(problem, emulated, {}, 1).front().kernel.family->matrix_units)
      << "emulated units are for tests";
}

TEST(Selection, NothingIsAssumedOfLanes) {
  for (auto profile : testing::public_devices()) {
    profile.matrix_dialect = MatrixDialect::none;
    profile.matrix_configs.clear();
    auto unknown = profile;
    unknown.subgroups = false;
    unknown.subgroup_min_size = unknown.subgroup_max_size = unknown.subgroup_size = 0;
    for (const auto type : kTypesOfA) {
      for (const auto& sizes : kSizes) {
        const auto plan = make_plan(problem_of(sizes, type), profile, {}, nullptr).value();
        EXPECT_EQ(plan.kernel, make_plan(problem_of(sizes, type), unknown, {}, nullptr)->kernel);
        for (const auto& shader : plan.shaders) EXPECT_FALSE(shader.needs_subgroups) << shader.label;
      }
    }
  }
}

TEST(Selection, SoftwareAdaptersGetShortTextsAndNoSplits) {
  const std::set<std::string> known{"register-tile_BM32_BN32_BK16_TM4_TN4_PAD0_LX0", "coalesced_WX16_WY16",
                                    "packed-dot_BM32_BN32_BK64_TM4_TN4_PAD1"};
  for_each_choice([&](const DeviceProfile& profile, const Problem& problem, const selection::Choice& choice) {
    if (profile.type != AdapterType::software) return;
    const auto name = kernels::name(choice.kernel);
    const bool skinny = kernels::is_skinny(choice.kernel.family->access);
    EXPECT_TRUE(known.contains(name) || (skinny && choice.geometry.block_m <= 4)) << name;
    EXPECT_EQ(choice.split_k, 1U);
    if (std::min(problem.m, problem.n) > 16) {
      EXPECT_FALSE(skinny) << name;
    }
  });
}

TEST(Selection, LongKAndFewBlocksAreCut) {
  const auto device = *find_profile("h200");
  EXPECT_GT(selection::rank(problem_of({64, 64, 65536}, DataType::f32), device, {}, 1).front().split_k, 8U);
  EXPECT_EQ(selection::rank(problem_of({4096, 4096, 4096}, DataType::f32), device, {}, 1).front().split_k,
            1U);
  PlanOptions forced;
  forced.split_k = 3;
  for (const auto& choice : selection::rank(problem_of({64, 64, 65536}, DataType::f32), device, forced, 5)) {
    EXPECT_EQ(choice.split_k, 3U);
  }
}

TEST(Candidates, AreTensEachOnceAndEachOfUse) {
  for (const auto type : kTypesOfA) {
    std::set<std::string> names;
    for (const auto& sizes : kSizes) {
      const auto problem = problem_of(sizes, type);
      for (const auto* candidate : selection::candidates(problem, *find_profile("h200"))) {
        const auto name = kernels::name(candidate->kernel);
        names.insert(name);
        const auto generous = testing::generous_device(candidate->kernel, MatrixDialect::none);
        const auto fits = kernels::check(candidate->kernel, generous, type);
        EXPECT_TRUE(fits) << fits.error().message;
      }
    }
    EXPECT_GT(names.size(), 20U);
    EXPECT_LT(names.size(), 100U);
    const auto minimum = with_minimum_limits(DeviceProfile{});
    EXPECT_TRUE(kernels::check(selection::fallback(type).kernel, minimum, type));
    EXPECT_EQ(selection::fallback(type).geometry.workgroup_bytes, 0U);
  }
}

TEST(Model, KnowsHowManyWorkgroupsFit) {
  const auto& hopper = selection::device_model(*find_profile("h200"));
  kernels::Geometry geometry{.workgroup_x = 128, .registers = 64};
  geometry.workgroup_bytes = 23 << 10;
  EXPECT_EQ(selection::resident_workgroups(geometry, hopper), 2);
  geometry.workgroup_bytes = 27 << 10;
  EXPECT_EQ(selection::resident_workgroups(geometry, hopper), 1);
  geometry.workgroup_bytes = 0;
  geometry.registers = 232;
  EXPECT_EQ(selection::resident_workgroups(geometry, hopper), 2) << "65,536 registers / (128 * 256)";
  geometry.workgroup_bytes = 1 << 20;
  EXPECT_EQ(selection::resident_workgroups(geometry, hopper), 1) << "never less than one";
}

TEST(Model, SlicesOfKInAWorkgroupFillAUnitThatHasOne) {
  const auto device = *find_profile("h200");
  const auto seconds = [&](const Sizes& sizes, const std::string& name) {
    const auto kernel = kernels::parse(name).value();
    const auto geometry = kernels::check(kernel, device, DataType::f32).value();
    return selection::estimate(problem_of(sizes, DataType::f32), device, {}, kernel, geometry, 1);
  };
  const std::string block = "register-tile_BM64_BN64_TM8_TN8_PAD4_LX4";
  // 128 blocks on 132 units, and as many as fill every unit.
  const Sizes few{128, 4096, 4096};
  const Sizes many{4096, 4096, 4096};
  EXPECT_LT(seconds(few, block + "_BK64_SLICES8"), 0.8 * seconds(few, block + "_BK16"));
  EXPECT_GT(seconds(many, block + "_BK64_SLICES8"), 0.8 * seconds(many, block + "_BK16"));
}

TEST(Model, MoreWorkTakesLonger) {
  for (const auto& profile : testing::public_devices()) {
    for (const auto type : kTypesOfA) {
      double before = 0;
      for (const std::uint64_t size : {1U, 64U, 256U, 1024U, 4096U}) {
        const auto seconds =
            selection::rank(problem_of({size, size, size}, type), profile, {}, 1).front().seconds;
        EXPECT_GE(seconds, before) << profile.name << " " << size;
        EXPECT_LT(seconds, 1e4);
        before = seconds;
      }
    }
  }
}

TEST(Model, EmptyProductsCostALaunch) {
  const auto device = *find_profile("h200");
  for (const auto& sizes : {Sizes{0, 5, 5}, Sizes{5, 0, 5}, Sizes{5, 5, 0}}) {
    const auto ranked = selection::rank(problem_of(sizes, DataType::f32), device, {}, 1);
    ASSERT_FALSE(ranked.empty());
    EXPECT_GT(ranked.front().seconds, 0);
  }
}

}  // namespace
}  // namespace wgemm
