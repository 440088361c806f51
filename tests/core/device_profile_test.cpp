#include "wgemm/device_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

using ::testing::HasSubstr;

TEST(BuiltinProfiles, HaveDistinctNames) {
  std::set<std::string> names;
  for (const auto& profile : builtin_profiles()) {
    EXPECT_TRUE(names.insert(profile.name).second) << profile.name;
    EXPECT_EQ(find_profile(profile.name).value().name, profile.name);
  }
  for (const auto* name : {"minimum", "lavapipe", "swiftshader", "h200", "emulated"})
    EXPECT_EQ(names.count(name), 1U);
}

TEST(BuiltinProfiles, TheErrorListsWhatThereIs) {
  const auto profile = find_profile("h100");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().code, ErrorCode::not_found);
  EXPECT_EQ(profile.error().argument, "profile");
  EXPECT_THAT(profile.error().message, HasSubstr("'h100'"));
  for (const auto& each : builtin_profiles()) EXPECT_THAT(profile.error().message, HasSubstr(each.name));
}

TEST(BuiltinProfiles, NoneHasLessThanTheSpecificationGuarantees) {
  const Limits least;
  for (const auto& profile : builtin_profiles()) {
    const auto& limits = profile.limits;
    EXPECT_GE(limits.max_storage_buffer_binding_size, least.max_storage_buffer_binding_size) << profile.name;
    EXPECT_GE(limits.max_buffer_size, least.max_buffer_size) << profile.name;
    EXPECT_GE(limits.max_compute_workgroup_storage_size, least.max_compute_workgroup_storage_size)
        << profile.name;
    EXPECT_GE(limits.max_compute_invocations_per_workgroup, least.max_compute_invocations_per_workgroup)
        << profile.name;
  }
}

TEST(MinimumLimits, TakeAwayLimitsAndFeaturesAndKeepTheName) {
  const auto profile = with_minimum_limits(*find_profile("h200"));
  EXPECT_EQ(profile.name, "h200");
  EXPECT_EQ(profile.limits.max_compute_workgroup_storage_size, 16384U);
  EXPECT_EQ(profile.limits.max_compute_invocations_per_workgroup, 256U);
  EXPECT_EQ(profile.limits.max_storage_buffer_binding_size, 134217728U);
  EXPECT_FALSE(profile.shader_f16);
  EXPECT_FALSE(profile.subgroups);
  EXPECT_EQ(profile.matrix_dialect, MatrixDialect::none);
  EXPECT_TRUE(profile.matrix_configs.empty());
}

TEST(ProfileJson, RoundTrips) {
  for (const auto& profile : builtin_profiles()) {
    const auto text = to_json(profile);
    const auto read = profile_from_json(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_json(*read), text);
    EXPECT_EQ(read->matrix_configs, profile.matrix_configs);
  }
}

TEST(ProfileJson, RoundTripsEveryMember) {
  // Values unlike any default, so that a member that is not read shows.
  auto json = nlohmann::json::parse(to_json(*find_profile("h200")));
  std::uint32_t number = 1000;
  const auto change = [&](nlohmann::json& value) {
    if (value.is_number()) value = ++number;
    if (value.is_boolean()) value = !value.get<bool>();
  };
  for (auto& value : json) change(value);
  for (auto& value : json["limits"]) change(value);
  for (const auto* word : {"name", "vendor", "architecture", "driver", "backend", "library"})
    json[word] = std::string("my ") + word;
  json["type"] = "integrated";
  json["dialect"] = "naga";
  json["matrix_dialect"] = "majorness_argument";
  json["matrix_configs"] = {{{"component", "f32"}, {"result", "f16"}, {"m", 1}, {"n", 2}, {"k", 3}}};
  const auto read = profile_from_json(json.dump());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(nlohmann::json::parse(to_json(*read)), json);
}

TEST(ProfileJson, WhatIsLeftOutKeepsItsDefault) {
  const auto read = profile_from_json("{}");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(DeviceProfile{}));
  EXPECT_EQ(profile_from_json(R"({"limits": {"max_compute_workgroup_size_x": 512}})")
                ->limits.max_compute_workgroup_size_x,
            512U);
}

struct BadInput {
  const char* text;
  const char* argument;
};

std::ostream& operator<<(std::ostream& out, const BadInput& each) { return out << each.text; }

class ProfileJsonError : public ::testing::TestWithParam<BadInput> {};

TEST_P(ProfileJsonError, NamesTheMember) {
  const auto read = profile_from_json(GetParam().text);
  ASSERT_FALSE(read) << GetParam().text;
  EXPECT_EQ(read.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(read.error().argument, GetParam().argument) << GetParam().text;
  EXPECT_FALSE(read.error().message.empty());
}

INSTANTIATE_TEST_SUITE_P(
    BadInputs, ProfileJsonError,
    ::testing::Values(
        BadInput{"", "profile"}, BadInput{"{", "profile"}, BadInput{"[]", "profile"},
        BadInput{"1", "profile"}, BadInput{"null", "profile"}, BadInput{R"({"name": 1})", "name"},
        BadInput{R"({"shader_f16": 1})", "shader_f16"}, BadInput{R"({"shader_f16": "true"})", "shader_f16"},
        BadInput{R"({"vendor_id": "4318"})", "vendor_id"}, BadInput{R"({"vendor_id": -1})", "vendor_id"},
        BadInput{R"({"vendor_id": 1.5})", "vendor_id"}, BadInput{R"({"vendor_id": 4294967296})", "vendor_id"},
        BadInput{R"({"type": "huge"})", "type"}, BadInput{R"({"dialect": "tint"})", "dialect"},
        BadInput{R"({"matrix_dialect": 3})", "matrix_dialect"}, BadInput{R"({"limits": []})", "limits"},
        BadInput{R"({"limits": {"max_buffer_size": "1"}})", "limits.max_buffer_size"},
        BadInput{R"({"limits": {"max_compute_workgroup_storage_size": 4294967296}})",
                 "limits.max_compute_workgroup_storage_size"},
        BadInput{R"({"limits": {"max_storage_buffer_binding_size": -4}})",
                 "limits.max_storage_buffer_binding_size"},
        BadInput{R"({"matrix_configs": {}})", "matrix_configs"},
        BadInput{R"({"matrix_configs": [1]})", "matrix_configs[0]"},
        BadInput{R"({"matrix_configs": [{"component": "f64"}]})", "matrix_configs[0].component"},
        BadInput{R"({"matrix_configs": [{"m": -1}]})", "matrix_configs[0].m"}));

TEST(Limits, ThatNoDeviceHasAreRefusedByName) {
  const Problem problem{100, 100, 100};
  const auto refused = [&](std::string_view name, std::string_view value) {
    const auto profile =
        profile_from_json(R"({"limits": {")" + std::string(name) + R"(": )" + std::string(value) + "}}");
    ASSERT_TRUE(profile) << profile.error().message;
    for (const auto* kernel : {"", "naive", "vec4"}) {
      const auto plan = make_plan(problem, *profile, {kernel});
      ASSERT_FALSE(plan) << name;
      EXPECT_EQ(plan.error().code, ErrorCode::invalid_argument);
      EXPECT_EQ(plan.error().argument, "limits." + std::string(name));
    }
  };
  for (const auto* name :
       {"max_storage_buffer_binding_size", "max_buffer_size", "max_compute_invocations_per_workgroup",
        "max_compute_workgroup_size_x", "max_compute_workgroup_size_y", "max_compute_workgroup_size_z",
        "max_compute_workgroups_per_dimension", "max_storage_buffers_per_shader_stage",
        "min_storage_buffer_offset_alignment", "min_uniform_buffer_offset_alignment"}) {
    refused(name, "0");
  }
  for (const auto* alignment : {"100", "2147483648"}) {
    refused("min_storage_buffer_offset_alignment", alignment);
    refused("min_uniform_buffer_offset_alignment", alignment);
  }
}

TEST(Limits, AnAlignmentFinerThanAWordCutsAtWords) {
  DeviceProfile profile;
  profile.limits.min_storage_buffer_offset_alignment = 1;
  profile.limits.max_storage_buffer_binding_size = 4096;
  const auto plan = make_plan(Problem{100, 100, 101}, profile);
  ASSERT_TRUE(plan) << plan.error().message;
  for (const auto& step : plan->steps) {
    for (const auto& binding : step.bindings) EXPECT_EQ(binding.offset % 4, 0U);
  }
}

TEST(MatrixConfig, IsDescribedByTypeShapeAndResult) {
  EXPECT_EQ(describe(MatrixConfig{DataType::f16, DataType::f32, 16, 8, 16}), "f16 16x8x16 -> f32");
}

}  // namespace
}  // namespace wgemm
