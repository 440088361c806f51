#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>

#include "core/kernels/kernel.hpp"
#include "tests/core/devices.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(KernelName, SaysEveryParameter) {
  EXPECT_EQ(canonical_kernel_name("tiled").value(), "tiled_TILE16_ROWS1_PAD0");
  EXPECT_EQ(canonical_kernel_name("naive").value(), "naive");
}

TEST(KernelName, TakesParametersInAnyOrderAndStandardValuesForTheRest) {
  EXPECT_EQ(canonical_kernel_name("tiled_PAD1_TILE32").value(), "tiled_TILE32_ROWS1_PAD1");
  EXPECT_EQ(canonical_kernel_name("tiled_ROWS2").value(), "tiled_TILE16_ROWS2_PAD0");
}

TEST(KernelName, LeavesOutWhatIsImpliedWhereItHasItsStandardValue) {
  const std::string whole = "register-tile_BM64_BN64_BK32_TM8_TN8_PAD4_LX4";
  EXPECT_EQ(canonical_kernel_name(whole).value(), whole);
  EXPECT_EQ(canonical_kernel_name(whole + "_SLICES1").value(), whole);
  EXPECT_EQ(canonical_kernel_name("register-tile_SLICES8_BM64_BN64_BK32_TM8_TN8_LX4").value(),
            whole + "_SLICES8");
}

TEST(KernelName, ARungsNameStandsForItsConfiguration) {
  EXPECT_EQ(canonical_kernel_name("tiled-padded").value(), "tiled_TILE16_ROWS1_PAD1");
  EXPECT_EQ(canonical_kernel_name("tiled-padded_TILE8").value(), "tiled_TILE8_ROWS1_PAD1");
}

TEST(KernelName, RoundTripsForEveryConfiguration) {
  for (const auto& family : kernels::families()) {
    std::set<std::string> names;
    for (const auto& kernel : kernels::enumerate(family)) {
      const auto name = kernels::name(kernel);
      EXPECT_TRUE(names.insert(name).second) << name << " names two configurations";
      const auto parsed = kernels::parse(name);
      ASSERT_TRUE(parsed) << parsed.error().message;
      EXPECT_EQ(parsed->family, kernel.family);
      EXPECT_EQ(parsed->values, kernel.values) << name;
    }
  }
}

TEST(KernelName, UnknownKernelsAreNotFoundAndTheErrorListsWhatThereIs) {
  for (const auto* name : {"fast", "", "_TILE8", "TILED", "tiled-", "tiled TILE8"}) {
    const auto parsed = kernels::parse(name);
    ASSERT_FALSE(parsed) << name;
    EXPECT_EQ(parsed.error().code, ErrorCode::not_found) << name;
    for (const auto& family : kernels::families()) {
      EXPECT_THAT(parsed.error().message, HasSubstr(std::string(family.name)));
    }
  }
}

struct Mistake {
  const char* name;
  const char* argument;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Mistake& each) { return out << each.name; }

class KernelNameError : public ::testing::TestWithParam<Mistake> {};

TEST_P(KernelNameError, NamesTheParameterAndItsValues) {
  const auto parsed = kernels::parse(GetParam().name);
  ASSERT_FALSE(parsed) << GetParam().name;
  EXPECT_EQ(parsed.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(parsed.error().argument, GetParam().argument);
  EXPECT_THAT(parsed.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(Mistakes, KernelNameError,
                         ::testing::Values(Mistake{"tiled_BM64", "BM", "it has TILE, ROWS, PAD"},
                                           Mistake{"naive_TILE8", "TILE", "it has none"},
                                           Mistake{"tiled_TILE7", "TILE", "is not one of 4, 8, 16, 32"},
                                           Mistake{"tiled_TILE", "TILE", "is not one of"},
                                           Mistake{"tiled_TILE8x", "TILE", "is not one of"},
                                           Mistake{"tiled__TILE8", "", "no parameter ''"},
                                           Mistake{"tiled_TILE99999999999999999999", "TILE", "is not one of"},
                                           Mistake{"tiled_TILE8_TILE16", "TILE", "is given TILE twice"},
                                           Mistake{"tiled_tile8", "tile", "it has TILE"},
                                           Mistake{"tiled-padded_BM8", "BM", "it has TILE"}));

TEST(KernelList, GivesEveryFamilyWithItsParameters) {
  const auto infos = list_kernels();
  ASSERT_EQ(infos.size(), kernels::families().size());
  for (const auto& info : infos) {
    EXPECT_FALSE(info.summary.empty()) << info.name;
    for (const auto& parameter : info.parameters) {
      EXPECT_FALSE(parameter.meaning.empty()) << info.name << " " << parameter.name;
      EXPECT_THAT(parameter.values, ::testing::Contains(parameter.standard))
          << info.name << " " << parameter.name;
    }
  }
}

TEST(KernelList, ConfigurationsOfAnUnknownFamilyAreNotFound) {
  const auto names = list_configurations("fast", *find_profile("h200"), DataType::f32);
  ASSERT_FALSE(names);
  EXPECT_EQ(names.error().code, ErrorCode::not_found);
}

TEST(Rungs, AreNamedByKernelsThatExist) {
  int step = 0;
  std::set<std::string_view> names;
  for (const auto& rung : list_rungs()) {
    EXPECT_GE(rung.step, step) << rung.name;
    step = rung.step;
    EXPECT_TRUE(names.insert(rung.name).second) << rung.name;
    EXPECT_FALSE(rung.adds.empty()) << rung.name;
    const auto by_kernel = canonical_kernel_name(rung.kernel);
    ASSERT_TRUE(by_kernel) << by_kernel.error().message;
    EXPECT_EQ(canonical_kernel_name(rung.name).value(), *by_kernel) << "a rung's name stands for its kernel";
  }
}

TEST(Rungs, WithoutMatrixUnitsAndWideTilesRunOnMinimumLimits) {
  for (const auto& rung : list_rungs()) {
    const auto kernel = kernels::parse(rung.kernel);
    ASSERT_TRUE(kernel);
    if (kernel->family->matrix_units || rung.name == "register-tile") continue;
    const auto fits = kernels::check(*kernel, *find_profile("minimum"), DataType::f32);
    EXPECT_TRUE(fits) << fits.error().message;
  }
}

const Rung& matrix_rung() {
  for (const auto& rung : list_rungs()) {
    if (rung.name == "subgroup-matrix") return rung;
  }
  ADD_FAILURE() << "there is no rung subgroup-matrix";
  return list_rungs().front();
}

DeviceProfile with_matrix_units(std::vector<MatrixConfig> configs, std::uint32_t subgroup_size) {
  auto profile = *find_profile("h200");
  profile.matrix_configs = std::move(configs);
  profile.subgroup_size = profile.subgroup_min_size = profile.subgroup_max_size = subgroup_size;
  return profile;
}

TEST(MatrixRung, FollowsTheDevice) {
  const auto chosen = rung_kernel(matrix_rung(), *find_profile("h200"));
  EXPECT_EQ(chosen.operands, DataType::f16);
  EXPECT_THAT(chosen.kernel, HasSubstr("_MM16_MN16_MK16_LANES32"));
}

TEST(MatrixRung, TakesF32BeforeF16AndIsTheTutorialsTileThen) {
  const auto device = with_matrix_units(
      {{DataType::f16, DataType::f32, 16, 16, 16}, {DataType::f32, DataType::f32, 8, 8, 8}}, 32);
  const auto chosen = rung_kernel(matrix_rung(), device);
  EXPECT_EQ(chosen.operands, DataType::f32);
  const auto kernel = kernels::parse(chosen.kernel);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const auto figures = kernels::check(*kernel, device, DataType::f32);
  ASSERT_TRUE(figures) << figures.error().message;
  EXPECT_EQ(figures->block_m, 32U);
  EXPECT_EQ(figures->block_n, 32U);
  EXPECT_EQ(figures->workgroup_x, 128U);
  EXPECT_EQ(figures->workgroup_y, 1U);
}

TEST(MatrixRung, IsRefusedWithTheReasonWhereTheDeviceLacksSomething) {
  const auto kernel = *kernels::parse("subgroup-matrix_MM16_MN16_MK16_LANES32");
  const auto reason = [&](const DeviceProfile& profile, DataType type) {
    const auto figures = kernels::check(kernel, profile, type);
    return figures ? "" : figures.error().message;
  };
  EXPECT_THAT(reason(*find_profile("lavapipe"), DataType::f16),
              HasSubstr("chromium-experimental-subgroup-matrix"));
  EXPECT_THAT(reason(*find_profile("h200"), DataType::f32),
              AllOf(HasSubstr("f32 16x16x16 -> f32"), HasSubstr("the device offers f16 16x16x16 -> f32")));
  EXPECT_THAT(reason(with_matrix_units({{DataType::f16, DataType::f16, 16, 16, 16}}, 32), DataType::f16),
              HasSubstr("f16 16x16x16 -> f32"));
  EXPECT_THAT(reason(with_matrix_units({{DataType::f16, DataType::f32, 16, 16, 16}}, 64), DataType::f16),
              AllOf(HasSubstr("32 lanes"), HasSubstr("the device has 64")));
  auto varying = with_matrix_units({{DataType::f16, DataType::f32, 16, 16, 16}}, 32);
  varying.subgroup_max_size = 256;
  EXPECT_THAT(reason(varying, DataType::f16), HasSubstr("largest subgroup (256)"));
  EXPECT_EQ(reason(*find_profile("h200"), DataType::f16), "");
}

}  // namespace
}  // namespace wgemm
