// Matrix configurations that a driver gets wrong are refused with the reason, and never chosen.
#include "core/kernels/deny_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "core/selection/choice.hpp"
#include "tests/core/devices.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

using ::testing::HasSubstr;

constexpr MatrixConfig kConfig{DataType::f16, DataType::f32, 16, 16, 16};

Problem halfs() {
  auto problem = testing::problem(1024, 1024, 1024);
  problem.a.type = problem.b.type = DataType::f16;
  return problem;
}

TEST(DenyList, HoldsForTheDevicesThatItNames) {
  auto device = *find_profile("h200");
  device.driver = "NVIDIA: 580.65.06 580.65";
  const auto denied = [&](const kernels::Denial& denial) {
    auto profile = device;
    kernels::apply(std::array{denial}, profile);
    EXPECT_EQ(profile.matrix_configs.size() + profile.denied_matrix_configs.size(),
              device.matrix_configs.size());
    return !profile.denied_matrix_configs.empty();
  };
  EXPECT_TRUE(denied({"nvidia", "hopper", "580.65", "", kConfig, "wrong sums"}));
  EXPECT_TRUE(denied({"", "", "", "", kConfig, "wrong sums"}));
  EXPECT_FALSE(denied({"amd", "", "", "", kConfig, "wrong sums"}));
  EXPECT_FALSE(denied({"nvidia", "ampere", "", "", kConfig, "wrong sums"}));
  EXPECT_FALSE(denied({"nvidia", "", "575", "", kConfig, "wrong sums"}));
  EXPECT_FALSE(denied({"nvidia", "", "", "wgpu", kConfig, "wrong sums"}));
  EXPECT_FALSE(denied({"", "", "", "", {DataType::f16, DataType::f32, 8, 8, 8}, "it does not offer that"}));
}

TEST(DenyList, WhatIsListedHasAReason) {
  for (const auto& denial : kernels::deny_list()) EXPECT_FALSE(denial.reason.empty());
}

TEST(DenyList, ADeniedConfigurationIsRefusedByNameAndNeverChosen) {
  auto device = *find_profile("h200");
  const std::string kernel = "subgroup-matrix_MM16_MN16_MK16_LANES32";
  EXPECT_TRUE(make_plan(halfs(), device, {kernel}));
  kernels::deny(device, kConfig, "wrong sums since 580");
  const auto refused = make_plan(halfs(), device, {kernel});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_EQ(refused.error().argument, "matrix configuration");
  EXPECT_THAT(refused.error().message, HasSubstr("wrong sums since 580"));
  for (const auto& choice : selection::rank(halfs(), device, {}, 1000)) {
    EXPECT_THAT(kernels::name(choice.kernel), ::testing::Not(HasSubstr("MM16_MN16_MK16")));
  }
  const auto back = profile_from_json(to_json(device));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->denied_matrix_configs, device.denied_matrix_configs);
  for (const auto config : std::vector(device.matrix_configs)) kernels::deny(device, config, "all of them");
  const auto without = make_plan(halfs(), device);
  ASSERT_TRUE(without);
  for (const auto& shader : without->shaders) EXPECT_FALSE(shader.needs_subgroup_matrix);
}

}  // namespace
}  // namespace wgemm
