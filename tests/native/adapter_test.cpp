// What is known of adapters, and which one is chosen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "fixture.hpp"
#include "native/adapter/backend.hpp"
#include "native/adapter/choice.hpp"
#include "native/library/search.hpp"
#include "wgemm/adapters.hpp"

namespace wgemm::native {
namespace {

class AdapterTest : public OnBothLibraries {};
WGEMM_ON_BOTH_LIBRARIES(AdapterTest);

DeviceProfile profile_of(std::string name, AdapterType type) {
  DeviceProfile profile;
  profile.name = std::move(name);
  profile.type = type;
  return profile;
}

/// Runs this program again without Vulkan drivers; returns what it printed.
std::string open_without_driver(const std::string& library) {
  const std::string command =
      "VK_DRIVER_FILES=/nonexistent '" + test_program + "' --open '" + library + "' 2>&1";
  // NOLINTNEXTLINE(bugprone-command-processor): of this program's own path
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string output;
  for (int letter = std::fgetc(pipe.get()); letter != EOF; letter = std::fgetc(pipe.get())) {
    output += static_cast<char>(letter);
  }
  return output;
}

TEST_P(AdapterTest, ProfileIsComplete) {
  const DeviceProfile& profile = shared_context().profile();
  const Limits minimum;
  EXPECT_FALSE(profile.name.empty());
  EXPECT_FALSE(profile.vendor.empty());
  EXPECT_FALSE(profile.driver.empty());
  EXPECT_EQ(profile.backend, "vulkan");
  EXPECT_EQ(profile.library, GetParam());
  EXPECT_EQ(profile.dialect, GetParam() == "dawn" ? Dialect::dawn : Dialect::naga);
  EXPECT_NE(profile.vendor_id, 0U);
  EXPECT_GE(profile.limits.max_buffer_size, minimum.max_buffer_size);
  EXPECT_GE(profile.limits.max_storage_buffer_binding_size, minimum.max_storage_buffer_binding_size);
  EXPECT_GE(profile.limits.max_compute_workgroup_storage_size, minimum.max_compute_workgroup_storage_size);
  EXPECT_GE(profile.limits.max_compute_invocations_per_workgroup,
            minimum.max_compute_invocations_per_workgroup);
  EXPECT_LE(profile.limits.min_uniform_buffer_offset_alignment, minimum.min_uniform_buffer_offset_alignment);
  if (profile.subgroups) {
    EXPECT_GE(profile.subgroup_size, 4U);
    EXPECT_LE(profile.subgroup_size, 128U);
  }
  EXPECT_FALSE(shared_context().choice().empty());
}

TEST_P(AdapterTest, SoftwareAdaptersAreCalledSoftware) {
  const DeviceProfile& profile = shared_context().profile();
  if (profile.name.find("llvmpipe") != std::string::npos) {
    EXPECT_EQ(profile.type, AdapterType::software);
    EXPECT_EQ(profile.vendor, "mesa");
    EXPECT_EQ(profile.architecture, "software");
    EXPECT_EQ(profile.subgroup_size, 8U);
  }
}

TEST_P(AdapterTest, ListNamesFeaturesAndLaneOrder) {
  const std::vector<LibraryReport> reports = list_adapters(options_for(GetParam()));
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].problem, "");
  ASSERT_FALSE(reports[0].adapters.empty());
  const AdapterReport& adapter = reports[0].adapters.front();
  EXPECT_NE(std::ranges::find(adapter.features, "timestamp-query"), adapter.features.end());
  if (adapter.profile.subgroups) {
    EXPECT_NE(adapter.lane_order.find("lanes cover"), std::string::npos) << adapter.lane_order;
  }
}

TEST_P(AdapterTest, OpensByNumberAndByPartOfTheName) {
  ContextOptions options = options_for(GetParam());
  options.adapter = "0";
  EXPECT_TRUE(Context::create(options));
  options.adapter = shared_context().profile().name.substr(1, 4);
  EXPECT_TRUE(Context::create(options));
}

TEST_P(AdapterTest, UnknownAdapterIsAnErrorThatListsWhatThereIs) {
  ContextOptions options = options_for(GetParam());
  options.adapter = "abacus";
  const Result<Context> context = Context::create(options);
  ASSERT_FALSE(context);
  EXPECT_EQ(context.error().code, ErrorCode::not_found);
  EXPECT_EQ(context.error().argument, "adapter");
  EXPECT_NE(context.error().message.find(shared_context().profile().name), std::string::npos);
}

TEST_P(AdapterTest, UnknownBackendIsAnError) {
  ContextOptions options = options_for(GetParam());
  options.backend = "glide";
  const Result<Context> context = Context::create(options);
  ASSERT_FALSE(context);
  EXPECT_EQ(context.error().argument, "backend");
}

TEST_P(AdapterTest, MachineWithoutDriverIsToldWhatToInstall) {
  const std::string output = open_without_driver(GetParam());
  EXPECT_TRUE(output.starts_with("not_found: ")) << output;
  EXPECT_NE(output.find("tools/setup.py"), std::string::npos) << output;
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 1) << "the library prints: " << output;
}

TEST(AdapterWithoutLibrary, EveryLibraryThatFailsIsNamed) {
  const std::string output = open_without_driver("");
  EXPECT_NE(output.find("dawn found no adapter"), std::string::npos) << output;
  EXPECT_NE(output.find("wgpu found no adapter"), std::string::npos) << output;
}

TEST_P(AdapterTest, NothingIsPrinted) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::string logged;
  ContextOptions options = options_for(GetParam());
  options.log = [&](Severity, std::string_view message) { logged += message; };
  {
    Result<Context> context = Context::create(options);
    ASSERT_TRUE(context);
    Plan broken = add_plan(64);
    broken.shaders[0].wgsl = "nonsense";
    EXPECT_FALSE(context->prepare(broken));
  }
  static_cast<void>(list_adapters(options));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  if (GetParam() == "dawn" && shared_context().profile().name.find("llvmpipe") != std::string::npos) {
    EXPECT_NE(logged.find("artificially reduced"), std::string::npos) << "Dawn's warning was lost";
  }
}

TEST(AdapterChoice, HardwareGoesBeforeSoftwareAndDiscreteBeforeIntegrated) {
  const DeviceProfile software = profile_of("llvmpipe", AdapterType::software);
  const DeviceProfile integrated = profile_of("Iris", AdapterType::integrated);
  const DeviceProfile discrete = profile_of("H200", AdapterType::discrete);
  const std::array all = {&software, &integrated, &discrete};
  const std::array small = {&software, &integrated};
  EXPECT_EQ(choose_adapter(all, "")->index, 2U);
  EXPECT_EQ(choose_adapter(small, "")->index, 1U);
  EXPECT_EQ(choose_adapter(all, "IRIS")->index, 1U);
  EXPECT_EQ(choose_adapter(all, "0")->index, 0U);
  EXPECT_NE(choose_adapter(all, "")->reason.find("hardware before software"), std::string::npos);
}

TEST(AdapterChoice, NumberBeyondTheListMayBePartOfAName) {
  const DeviceProfile only = profile_of("H200", AdapterType::discrete);
  const std::array all = {&only};
  EXPECT_FALSE(choose_adapter(all, "7"));
  EXPECT_TRUE(choose_adapter(all, "200")) << "a number that is part of a name";
}

TEST(Backend, NamesGoBothWays) {
  for (const std::string_view name : {"vulkan", "metal", "d3d12", "gl", "null"}) {
    EXPECT_EQ(backend_name(parse_backend(name).value()), name);
  }
}

}  // namespace
}  // namespace wgemm::native
