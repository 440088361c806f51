// Measured choices: as text and back, for whom they count, and that a plan never follows one that does not
// fit.
#include "wgemm/tuning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/kernels/kernel.hpp"
#include "core/selection/device_name.hpp"
#include "core/selection/tuned.hpp"
#include "tests/core/devices.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

using selection::Scope;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

/// What the heuristic would not choose.
constexpr auto kKernel = "tiled_TILE8_ROWS1_PAD0";
constexpr auto kOther = "tiled_TILE16_ROWS1_PAD0";

DeviceProfile device() {
  auto profile = *find_profile("h200");
  profile.device_id = 0x2335;
  profile.driver = "580.1";
  profile.library = "dawn";
  profile.library_version = "7103";
  return profile;
}

TuningEntry entry(const Problem& problem, const std::string& kernel,
                  const DeviceProfile& profile = device()) {
  return {.device = tuning_device(profile),
          .problem = tuning_problem(problem),
          .kernel = kernel,
          .split_k = 1,
          .seconds = 1e-4,
          .heuristic_seconds = 2e-4,
          .date = "2026-11-30T08:00:00Z",
          .tool = "wgemm 0.1.0"};
}

std::string chosen(const Problem& problem, const TuningData& data, const PlanOptions& options = {},
                   const DeviceProfile& profile = device()) {
  const auto plan = make_plan(problem, profile, options, &data);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan ? plan->kernel : std::string();
}

std::string heuristic(const Problem& problem) { return make_plan(problem, device(), {}, nullptr)->kernel; }

TEST(TuningJson, ComesBackAsItWas) {
  TuningData data;
  data.entries = {entry(testing::problem(300, 200, 100), kKernel), entry(testing::problem(1, 2, 3), kOther)};
  data.entries[1].problem.epilogue = EpilogueClass::reads_matrix;
  data.entries[1].problem.b_order = Order::col_major;
  data.entries[1].unchecked_shaders = true;
  data.entries[1].device.name = "a \"name\" with ü";
  const auto back = tuning_from_json(to_json(data));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->entries, data.entries);
  EXPECT_TRUE(tuning_from_json(to_json(TuningData{}))->entries.empty());
}

struct Damage {
  const char* what;
  ErrorCode code;
  const char* argument;
  std::function<void(Json&)> damage;
};

class TuningJsonError : public ::testing::TestWithParam<Damage> {};

TEST_P(TuningJsonError, NamesTheField) {
  TuningData data;
  data.entries = {entry(testing::problem(300, 200, 100), kKernel)};
  auto json = Json::parse(to_json(data));
  GetParam().damage(json);
  const auto read = tuning_from_json(json.dump());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, GetParam().code);
  EXPECT_EQ(read.error().argument, GetParam().argument);
  EXPECT_THAT(read.error().message, HasSubstr("tuning data"));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, TuningJsonError,
    ::testing::Values(
        Damage{"foreign", ErrorCode::invalid_argument, "format", [](Json& json) { json.erase("format"); }},
        Damage{"format", ErrorCode::invalid_argument, "format",
               [](Json& json) { json["format"] = "clblast"; }},
        Damage{"version", ErrorCode::unsupported, "version", [](Json& json) { json["version"] = 2; }},
        Damage{"unversioned", ErrorCode::unsupported, "version", [](Json& json) { json.erase("version"); }},
        Damage{"entries", ErrorCode::invalid_argument, "entries", [](Json& json) { json["entries"] = 5; }},
        Damage{"missing", ErrorCode::invalid_argument, "entries[0].kernel",
               [](Json& json) { json["entries"][0].erase("kernel"); }},
        Damage{"type", ErrorCode::invalid_argument, "entries[0].problem.a",
               [](Json& json) { json["entries"][0]["problem"]["a"] = "f99"; }},
        Damage{"negative", ErrorCode::invalid_argument, "entries[0].problem.m",
               [](Json& json) { json["entries"][0]["problem"]["m"] = -1; }},
        Damage{"nosize", ErrorCode::invalid_argument, "entries[0].problem",
               [](Json& json) { json["entries"][0]["problem"]["k"] = 0; }},
        Damage{"unnamed", ErrorCode::invalid_argument, "entries[0].kernel",
               [](Json& json) { json["entries"][0]["kernel"] = ""; }},
        Damage{"split", ErrorCode::invalid_argument, "entries[0].split_k",
               [](Json& json) { json["entries"][0]["split_k"] = 0; }},
        Damage{"time", ErrorCode::invalid_argument, "entries[0].seconds",
               [](Json& json) { json["entries"][0]["seconds"] = "nan"; }},
        Damage{"notime", ErrorCode::invalid_argument, "entries[0].seconds",
               [](Json& json) { json["entries"][0]["seconds"] = 0; }}),
    [](const auto& info) { return info.param.what; });

TEST(TuningJson, TornTextIsAnError) {
  TuningData data;
  data.entries = {entry(testing::problem(300, 200, 100), kKernel)};
  const auto text = to_json(data);
  for (std::size_t length = 0; length < text.size() - 1; length += 7) {
    const auto read = tuning_from_json(std::string_view(text).substr(0, length));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::invalid_argument);
  }
  EXPECT_FALSE(tuning_from_json("[]"));
  EXPECT_FALSE(tuning_from_json(std::string("\xff\xfe", 2)));
}

TEST(TuningData, TheYoungerOfTwoEntriesRemains) {
  const auto problem = testing::problem(300, 200, 100);
  TuningData data;
  data.entries = {entry(problem, kKernel)};
  TuningData other;
  other.entries = {entry(problem, kOther), entry(testing::problem(5, 5, 5), kOther)};
  other.entries[0].date = "2026-11-29T23:59:59Z";
  data.merge(other);
  ASSERT_EQ(data.entries.size(), 2U);
  EXPECT_EQ(data.entries[0].kernel, kKernel);
  other.entries[0].date = "2026-12-01T00:00:00Z";
  data.merge(other);
  ASSERT_EQ(data.entries.size(), 2U);
  EXPECT_EQ(data.entries[0].kernel, kOther);
  other.entries[0].unchecked_shaders = true;
  data.merge(other);
  EXPECT_EQ(data.entries.size(), 3U) << "with bounds checks and without them are two choices";
}

TEST(Tuned, AnEntryIsFollowedAndNothingOverridesAForcedKernel) {
  const auto problem = testing::problem(300, 200, 1000);
  TuningData data;
  data.entries = {entry(problem, kKernel)};
  data.entries[0].split_k = 2;
  EXPECT_NE(heuristic(problem), kKernel);
  const auto plan = make_plan(problem, device(), {}, &data);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->kernel, kKernel);
  EXPECT_EQ(plan->steps.back().kind, StepKind::reduce) << "two parts of k";
  EXPECT_EQ(chosen(problem, data, {kOther}), kOther);
  PlanOptions options;
  options.split_k = 1;  // the entry was measured with another
  EXPECT_NE(chosen(problem, data, options), kKernel);
  options.split_k = 2;
  EXPECT_EQ(chosen(problem, data, options), kKernel);
}

TEST(Tuned, TheClosestDeviceComesFirst) {
  const auto here = tuning_device(device());
  const auto scope = [&](const std::function<void(TuningDevice&)>& change) {
    auto other = here;
    change(other);
    return selection::scope_of(other, here);
  };
  EXPECT_EQ(scope([](TuningDevice&) {}), Scope::same);
  EXPECT_EQ(scope([](TuningDevice& d) { d.driver.clear(); }), Scope::same) << "empty holds for any";
  EXPECT_EQ(scope([](TuningDevice& d) { d.driver = "581"; }), Scope::device);
  EXPECT_EQ(scope([](TuningDevice& d) { d.library = "wgpu"; }), Scope::device);
  EXPECT_EQ(scope([](TuningDevice& d) { d.library_version = "7104"; }), Scope::device);
  EXPECT_EQ(scope([](TuningDevice& d) { d.device_id = 0x2336; }), Scope::architecture);
  EXPECT_EQ(scope([](TuningDevice& d) { d = {.vendor = "nvidia", .architecture = "hopper"}; }),
            Scope::architecture);
  EXPECT_EQ(scope([](TuningDevice& d) { d.device_id = 1, d.architecture = "ampere"; }), Scope::none);
  EXPECT_EQ(scope([](TuningDevice& d) { d = {.vendor = "nvidia"}; }), Scope::vendor);
  EXPECT_EQ(scope([](TuningDevice& d) { d = {.vendor = "amd"}; }), Scope::none);
  EXPECT_EQ(scope([](TuningDevice& d) { d = {}; }), Scope::any);
  // Software adapters have no number, and are told apart by name.
  auto software = *find_profile("lavapipe");
  software.vendor_id = 0x10005;
  auto other = software;
  other.name = "llvmpipe";
  EXPECT_EQ(selection::scope_of(tuning_device(software), tuning_device(software)), Scope::same);
  EXPECT_EQ(selection::scope_of(tuning_device(other), tuning_device(software)), Scope::architecture);
}

TEST(Tuned, PagesFollowWhatProgramsMeasured) {
  auto here = tuning_device(device());
  here.name = "NVIDIA H200";
  TuningDevice page{.vendor = "nvidia", .name = "nvidia-h200"};
  EXPECT_EQ(selection::scope_of(here, page), Scope::device)
      << "a page is told no numbers, and a name of its own";
  EXPECT_EQ(selection::scope_of(page, here), Scope::same);
  page.name = "nvidia-h100-nvl";
  EXPECT_EQ(selection::scope_of(here, page), Scope::none);
  page.name = "";
  EXPECT_EQ(selection::scope_of(here, page), Scope::none) << "browsers often tell none";
  EXPECT_EQ(selection::identifier_of("llvmpipe (LLVM 15.0.6, 256 bits)"), "llvmpipe-llvm-15-0-6-256-bits");
  EXPECT_EQ(selection::identifier_of("llvmpipe-llvm-15-0-6-256-bits-"), "llvmpipe-llvm-15-0-6-256-bits");
  EXPECT_EQ(selection::identifier_of(""), "");
}

TEST(Tuned, FallsBackFromDeviceToArchitectureToVendorToAny) {
  const auto problem = testing::problem(300, 200, 100);
  const char* const kernels[] = {"tiled_TILE8_ROWS1_PAD0", "tiled_TILE8_ROWS1_PAD1",
                                 "tiled_TILE16_ROWS1_PAD0", "tiled_TILE16_ROWS1_PAD1"};
  TuningData data;
  for (const auto* kernel : kernels) data.entries.push_back(entry(problem, kernel));
  data.entries[1].device = {.vendor = "nvidia", .architecture = "hopper"};
  data.entries[2].device = {.vendor = "nvidia"};
  data.entries[3].device = {};
  std::ranges::reverse(data.entries);  // the order of the file does not decide
  for (const auto* kernel : kernels) {
    EXPECT_EQ(chosen(problem, data), kernel);
    data.entries.pop_back();
  }
  EXPECT_EQ(chosen(problem, data), heuristic(problem));
}

TEST(Tuned, TheNearestSizesServeAndFarOnesDoNot) {
  const auto problem = testing::problem(512, 512, 512);
  TuningData data;
  data.entries = {entry(testing::problem(512, 512, 1024), kKernel)};
  EXPECT_EQ(chosen(problem, data), kKernel);
  data.entries.push_back(entry(testing::problem(512, 640, 512), kOther));
  EXPECT_EQ(chosen(problem, data), kOther);
  EXPECT_EQ(chosen(testing::problem(512, 512, 1024), data), kKernel) << "the exact one";
  data.entries = {entry(testing::problem(512, 512, 1028), kKernel)};
  EXPECT_EQ(chosen(problem, data), heuristic(problem));
  data.entries = {entry(testing::problem(728, 728, 512), kKernel)};
  EXPECT_EQ(chosen(problem, data), heuristic(problem)) << "the ratios add up";
}

TEST(Tuned, EntriesMeasuredAsTheDeviceRunsShadersComeFirst) {
  const auto problem = testing::problem(512, 512, 512);
  TuningData data;
  data.entries = {entry(problem, kKernel), entry(testing::problem(512, 512, 1024), kOther)};
  data.entries[1].unchecked_shaders = true;
  auto unchecked = device();
  unchecked.unchecked_shaders = true;
  EXPECT_EQ(chosen(problem, data), kKernel);
  EXPECT_EQ(chosen(problem, data, {}, unchecked), kOther) << "though its sizes are further off";
  data.entries.pop_back();
  EXPECT_EQ(chosen(problem, data, {}, unchecked), kKernel) << "better than none";
  data.entries.push_back(entry(problem, kOther));
  data.entries[1].device = {.vendor = "nvidia", .architecture = "hopper"};
  data.entries[1].unchecked_shaders = true;
  EXPECT_EQ(chosen(problem, data, {}, unchecked), kKernel) << "the device comes first";
}

TEST(Tuned, OfEntriesThatAreEquallyCloseTheYoungerComesFirst) {
  const auto problem = testing::problem(512, 512, 512);
  auto profile = device();
  profile.name = "NVIDIA H200";
  TuningData data;
  data.entries = {entry(problem, kKernel), entry(problem, kOther)};
  data.entries[0].device = tuning_device(profile);
  // The same device as a page tells it: the two do not merge.
  auto& page = data.entries[1].device;
  page = data.entries[0].device;
  page.vendor_id = page.device_id = 0;
  page.name = "nvidia-h200";
  page.backend.clear();
  for (int turn = 0; turn < 2; ++turn) {
    data.entries[0].date = "2026-11-29T08:00:00Z";
    data.entries[1].date = "2026-11-30T08:00:00Z";
    EXPECT_EQ(chosen(problem, data, {}, profile), data.entries[1].kernel) << turn;
    std::swap(data.entries[0].date, data.entries[1].date);
    EXPECT_EQ(chosen(problem, data, {}, profile), data.entries[0].kernel) << turn;
    std::ranges::reverse(data.entries);  // the order of the file does not decide
  }
  // Nothing but what is equally close.
  data.entries.push_back(entry(testing::problem(512, 512, 640), "tiled_TILE16_ROWS1_PAD1"));
  data.entries[2].device = data.entries[0].device;
  data.entries[2].date = "2999-01-01T00:00:00Z";
  EXPECT_EQ(chosen(problem, data, {}, profile), data.entries[1].kernel);
}

TEST(Tuned, EntriesServeTheirOwnClassOnly) {
  const auto problem = testing::problem(512, 512, 512);
  TuningData data;
  data.entries = {entry(problem, kKernel)};
  std::vector<Problem> others(7, problem);
  others[0].a.type = others[0].b.type = DataType::f16;
  others[1].b.order = Order::col_major;
  others[2].trans_a = Transpose::transpose;
  others[3].beta = 1;
  others[4].epilogue.activation = Activation::relu;
  others[5].k = 511;  // no longer four elements at a time
  others[6].c.type = DataType::f16;
  for (const auto& other : others) EXPECT_NE(chosen(other, data), kKernel) << describe(other);
  // A is stored as its transposed matrix, the other way round: the same thing.
  auto same = problem;
  same.trans_b = Transpose::transpose;
  same.b.order = Order::col_major;
  EXPECT_EQ(chosen(same, data), kKernel);
}

TEST(Tuned, AnEntryThatDoesNotFitIsNotFollowed) {
  const auto problem = testing::problem(512, 512, 512);
  TuningData data;
  data.entries = {entry(problem, "of-another-version_BM7"), entry(problem, "packed-dot"),
                  entry(problem, "subgroup-matrix"), entry(problem, kKernel)};
  EXPECT_EQ(chosen(problem, data), kKernel) << "the next one";
  data.entries.pop_back();
  EXPECT_EQ(chosen(problem, data), heuristic(problem));
  // Right for the device's limits then, not for these.
  data.entries = {entry(problem, "tiled_TILE32_ROWS1")};
  EXPECT_EQ(chosen(problem, data), "tiled_TILE32_ROWS1_PAD0");
  auto smaller = device();
  smaller.limits = Limits{};
  EXPECT_NE(chosen(problem, data, {}, smaller), "tiled_TILE32_ROWS1_PAD0");
}

TEST(Tuned, AnEntryThatCannotBePlannedIsNotFollowed) {
  const auto problem = testing::problem(512, 512, 512);
  TuningData data;
  data.entries = {entry(problem, "vec4")};  // copies B into scratch
  EXPECT_THAT(chosen(problem, data), HasSubstr("vec4"));
  PlanOptions options;
  options.scratch_cap = 64;
  EXPECT_EQ(chosen(problem, data, options), heuristic(problem));
}

/// The files that the build turns into C++.
TuningData shipped_files() {
  TuningData all;
  for (const auto& file : std::filesystem::directory_iterator(WGEMM_SHIPPED_TUNING)) {
    std::ifstream stream(file.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto data = tuning_from_json(text);
    EXPECT_TRUE(data) << file.path() << ": " << data.error().message;
    if (data) all.entries.insert(all.entries.end(), data->entries.begin(), data->entries.end());
  }
  return all;
}

TEST(ShippedTuning, IsWhatTheFilesSay) {
  const auto files = shipped_files().entries;
  EXPECT_FALSE(files.empty());
  EXPECT_THAT(shipped_tuning().entries, ::testing::UnorderedElementsAreArray(files));
}

TEST(ShippedTuning, NamesKernelsThatExistAndEachProblemOnce) {
  const auto& entries = shipped_tuning().entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto kernel = kernels::parse(entries[i].kernel);
    EXPECT_TRUE(kernel) << kernel.error().message;
    EXPECT_FALSE(entries[i].device == TuningDevice{}) << "measured on some device";
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(entries[i].device == entries[j].device && entries[i].problem == entries[j].problem &&
                   entries[i].unchecked_shaders == entries[j].unchecked_shaders)
          << entries[i].kernel << " and " << entries[j].kernel;
    }
  }
}

}  // namespace
}  // namespace wgemm
