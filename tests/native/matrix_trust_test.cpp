// The check of matrix units before they are trusted, on units that are emulated lane by lane.
#include "native/context/matrix_trust.hpp"

#include <gtest/gtest.h>

#include <string>

#include "fixture.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

using native::Access;

class MatrixTrust : public OnBothLibraries {
 protected:
  static Plan plan_of(const char* kernel, DataType type) {
    Problem problem;
    problem.m = problem.n = problem.k = 64;
    problem.a.type = problem.b.type = type;
    problem.b.order = Order::col_major;
    DeviceProfile profile = shared_context().profile();
    profile.matrix_dialect = MatrixDialect::emulated;
    const Result<Plan> plan = make_plan(problem, profile, {.kernel = kernel, .split_k = 1}, nullptr);
    EXPECT_TRUE(plan) << plan.error().message;
    return plan.value_or(Plan{});
  }
  static std::string fault(const Plan& plan, DataType type) {
    const auto found =
        native::compare_on_integers(Access::impl(shared_context()), plan, plan_of("naive", type), {});
    EXPECT_TRUE(found) << found.error().message;
    return found.value_or("");
  }
};
WGEMM_ON_BOTH_LIBRARIES(MatrixTrust);

constexpr auto kUnits = "subgroup-matrix_MM8_MN8_MK8_LANES8_BK16_PAD8";

TEST_P(MatrixTrust, RightUnitsPass) {
  EXPECT_EQ(fault(plan_of(kUnits, DataType::f32), DataType::f32), "");
  if (shared_context().profile().shader_f16) {
    EXPECT_EQ(fault(plan_of(kUnits, DataType::f16), DataType::f16), "");
  }
}

TEST_P(MatrixTrust, WrongUnitsAreFound) {
  Plan plan = plan_of(kUnits, DataType::f32);
  // One step along k too few, as a driver might compile it.
  std::string& text = plan.shaders.at(plan.steps.at(0).shader).wgsl;
  const std::string loop = "k0 < dims.k";
  const auto at = text.find(loop);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, loop.size(), "k0 + 16 < dims.k");
  const std::string found = fault(plan, DataType::f32);
  EXPECT_NE(found.find("64x64x64"), std::string::npos) << found;
  EXPECT_NE(found.find("naive"), std::string::npos) << found;
  // And a C that nobody writes.
  plan.steps.at(0).dispatches.at(0).workgroups = {1, 1, 1};
  EXPECT_NE(fault(plan, DataType::f32), "");
}

TEST_P(MatrixTrust, PlansWithoutUnitsNeedNoTrust) {
  EXPECT_TRUE(
      native::trust_matrix_units(Access::impl(shared_context()), plan_of("naive", DataType::f32), {}));
  EXPECT_TRUE(native::trust_matrix_units(Access::impl(shared_context()), add_plan(4), {}));
}

TEST_P(MatrixTrust, ADenialLeavesEarlierProfilesAlone) {
  Context context = open(options_for(GetParam()));
  const DeviceProfile& before = context.profile();
  const std::string name = before.name;
  Access::device(context).deny({DataType::f16, DataType::f32, 16, 16, 16}, "a test");
  EXPECT_EQ(before.name, name);
  EXPECT_EQ(context.profile().name, name);
  EXPECT_TRUE(context.profile().denied_matrix_configs.empty()) << "it offers none";
}

}  // namespace
}  // namespace wgemm
