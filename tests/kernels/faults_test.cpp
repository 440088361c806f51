// Faults of docs/faults.md that need their own inputs, by number; the others are covered by the cases
// (cases.cpp) and by wrong_kernels_test.cpp.
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/kernels/kernel.hpp"
#include "tests/kernels/adapter_test.hpp"
#include "verify/elements.hpp"
#include "verify/half.hpp"
#include "verify/inputs.hpp"
#include "verify/trial.hpp"
#include "wgemm/ladder.hpp"

namespace wgemm::tests {
namespace {

using testing::HasSubstr;

constexpr Layout kRowMajor{Order::row_major, Order::row_major, Order::row_major};

class Faults : public AdapterTest {};

/// C of a product whose operands `write` fills: write(a, b) gets pointers to tight row-major elements. Empty
/// where it could not be run, which is a failure.
template <typename Element, typename Write>
std::vector<double> multiply(const Subject& subject, const Shape& shape, DataType c_type,
                             const Write& write) {
  auto& context = *Bench::get().context(subject.setting);
  const auto problem = make_problem(shape, kRowMajor, 0, subject.operands, c_type);
  auto given = verify::make_inputs(problem, verify::Numbers::uniform, 1,
                                   verify::largest_operand(context.profile().limits));
  write(reinterpret_cast<Element*>(given.at(BufferRole::a).data()),
        reinterpret_cast<Element*>(given.at(BufferRole::b).data()));
  const auto result =
      guarded_plan(problem, subject.setting, {subject.kernel, EdgePolicy::checked})
          .and_then([&](const Plan& plan) { return context.prepare(plan); })
          .and_then([&](PreparedPlan prepared) { return verify::Trial(context, prepared).run(given); });
  if (!result) {
    ADD_FAILURE() << subject.kernel << ": " << result.error().message;
    return {};
  }
  std::vector<double> values(shape.m * shape.n);
  verify::read_elements(c_type, *result, 0, 1, values);
  return values;
}

TEST_F(Faults, No01MatrixLoadsOfTailTilesStayInside) {
  for (const auto& subject : emulated_subjects()) {
    expect_right(make_problem({40, 48, 64}, kRowMajor, 0, subject.operands), subject.setting,
                 {subject.kernel, EdgePolicy::checked});
  }
}

TEST_F(Faults, No02MatrixStoresOfTailTilesStayInside) {
  auto all = light_subjects(Setting::standard);
  for (auto& subject : emulated_subjects()) all.push_back(std::move(subject));
  for (const auto& subject : all) {
    expect_right(make_problem({9, 8, 8}, kRowMajor, 0, subject.operands), subject.setting,
                 {subject.kernel, EdgePolicy::checked});
  }
}

TEST_F(Faults, No03NarrowResultsAreNotZero) {
  for (const auto& subject : light_subjects(Setting::standard)) {
    expect_right(make_problem({1, 2, 768}, kRowMajor, 0, subject.operands), subject.setting,
                 {subject.kernel, EdgePolicy::checked});
  }
}

TEST_F(Faults, No04ChecksFollowFromTheTileThatIsEmitted) {
  for (const auto& subject : light_subjects(Setting::standard)) {
    for (const auto edges : {EdgePolicy::checked, EdgePolicy::padded}) {
      expect_right(make_problem({1, 32, 96}, kRowMajor, 0, subject.operands), subject.setting,
                   {subject.kernel, edges});
    }
  }
}

// Zeros against what lies around the operands: 0 times NaN would show.
TEST_F(Faults, No07PaddingIsNotMultiplied) {
  for (const auto& subject : light_subjects(Setting::standard)) {
    if (subject.operands != DataType::f32) continue;
    const auto& block = subject.block;
    const Shape shape{block.m + 1, block.n + 1, block.k + 1};
    const auto c = multiply<float>(subject, shape, DataType::f32,
                                   [&](float* a, float*) { std::fill(a, a + shape.m * shape.k, 0.0F); });
    EXPECT_EQ(c, std::vector<double>(shape.m * shape.n)) << subject.kernel;
  }
}

TEST_F(Faults, No10MinimumDevicesHaveTheSpecificationsLimits) {
  auto* const context = Bench::get().context(Setting::minimum);
  ASSERT_NE(context, nullptr) << Bench::get().problem();
  const auto& limits = context->profile().limits;
  EXPECT_EQ(limits.max_compute_invocations_per_workgroup, 256);
  EXPECT_EQ(limits.max_compute_workgroup_storage_size, 16384);
  EXPECT_EQ(limits.max_storage_buffer_binding_size, 134217728);
  EXPECT_FALSE(context->profile().shader_f16);
  EXPECT_GE(subjects(Setting::minimum).size(), list_rungs().size() - 1);  // all but that of matrix units
}

// A matrix that the device cannot hold is refused before anything is allocated, and the device goes on.
TEST_F(Faults, No12AnAllocationThatDoesNotFitLeavesTheDeviceUsable) {
  auto& context = *Bench::get().context(Setting::standard);
  const auto largest = context.profile().limits.max_buffer_size;
  auto problem = make_problem({2, 2, largest / 8 + 1}, kRowMajor, 0, DataType::f32);
  if (problem.k <= 0xffffffff) {  // otherwise no index reaches it
    const auto plan = make_plan(problem, context.profile(), {"naive"});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().argument, "maxBufferSize");
  }
  const auto buffer = context.create_buffer(largest + 4);
  ASSERT_FALSE(buffer);
  EXPECT_THAT(buffer.error().message, HasSubstr(std::to_string(largest + 4)));
  expect_right(make_problem({5, 6, 7}, kRowMajor, 0, DataType::f32), Setting::standard, {"naive"});
}

TEST_F(Faults, No13EverySubgroupSizeIsRight) {
  std::set<std::string> sizes;
  for (const auto& subject : emulated_subjects()) {
    sizes.insert(subject.kernel.substr(subject.kernel.find("LANES")));
    expect_right(make_problem({9, 11, 13}, kRowMajor, 0, subject.operands), subject.setting,
                 {subject.kernel});
  }
  for (const auto* size : {"LANES4", "LANES8", "LANES16", "LANES32", "LANES64", "LANES128"}) {
    EXPECT_TRUE(sizes.contains(size)) << size;
  }
}

TEST_F(Faults, No17SumsOfF16DoNotOverflow) {
  if (!Bench::get().profile(Setting::standard).shader_f16) GTEST_SKIP() << "the adapter has no shader-f16";
  for (const auto& subject : half_subjects()) {
    const Shape shape{1, 1, 4096};
    for (const auto c_type : {DataType::f16, DataType::f32}) {
      const auto c = multiply<verify::Half>(subject, shape, c_type, [&](verify::Half* a, verify::Half* b) {
        for (std::uint64_t k = 0; k < shape.k; ++k) {
          a[k] = verify::Half(16);
          b[k] = verify::Half(k % 4 < 2 ? 2250 : -2250);
        }
      });
      EXPECT_EQ(c, std::vector<double>{0}) << subject.kernel;
    }
  }
}

// A times the identity is A bit by bit, and 7e4 passes: nothing of f32 goes through f16.
TEST_F(Faults, No18F32IsNotNarrowed) {
  for (const auto& subject : light_subjects(Setting::standard)) {
    if (subject.operands != DataType::f32) continue;
    const Shape shape{20, 24, 24};
    std::vector<double> expected;
    const auto c = multiply<float>(subject, shape, DataType::f32, [&](float* a, float* b) {
      a[5] = 7e4F;
      expected.assign(a, a + shape.m * shape.k);
      for (std::uint64_t i = 0; i < shape.k * shape.n; ++i) b[i] = i / shape.n == i % shape.n ? 1 : 0;
    });
    EXPECT_EQ(c, expected) << subject.kernel;
  }
}

// What docs/numerics.md promises: infinities and NaNs of a row of A reach that row of C only, those of a
// column of B that column; all other elements have the bits that they have without them.
template <typename Element>
void expect_non_finite_numbers_stay_in_line(const Subject& subject) {
  const Element infinity(std::numeric_limits<float>::infinity());
  const auto& block = subject.block;
  const Shape shape{block.m + 3, block.n + 2, block.k + 5};
  const auto clean = multiply<Element>(subject, shape, DataType::f32, [](Element*, Element*) {});
  const auto spoilt = multiply<Element>(subject, shape, DataType::f32, [&](Element* a, Element* b) {
    a[shape.k + 2] = infinity;                                                    // row 1
    a[2 * shape.k - 1] = Element(-std::numeric_limits<float>::infinity());        // row 1, the last k
    b[shape.n + shape.n - 1] = Element(std::numeric_limits<float>::quiet_NaN());  // the last column
    b[(shape.k - 1) * shape.n + shape.n - 1] = infinity;
  });
  ASSERT_EQ(clean.size(), spoilt.size());
  for (std::uint64_t i = 0; i < clean.size(); ++i) {
    if (i / shape.n == 1 || i % shape.n == shape.n - 1) continue;
    ASSERT_EQ(spoilt[i], clean[i]) << subject.kernel << " C(" << i / shape.n << ", " << i % shape.n << ")";
  }
}

TEST_F(Faults, No22NonFiniteNumbersStayInTheirRowsAndColumns) {
  for (const auto& subject : light_subjects(Setting::standard)) {
    if (subject.operands == DataType::f32) expect_non_finite_numbers_stay_in_line<float>(subject);
  }
  for (const auto& subject : half_subjects()) expect_non_finite_numbers_stay_in_line<verify::Half>(subject);
}

// Emulated matrix units are there for tests: nobody gets them unasked.
TEST_F(Faults, No31EmulatedMatrixUnitsAreTakenByNameOnly) {
  const auto profile = find_profile("emulated");
  ASSERT_TRUE(profile);
  for (const auto type : {DataType::f32, DataType::f16}) {
    for (const std::uint64_t size : {16, 256, 4096}) {
      const auto plan = make_plan(make_problem({size, size, size}, kRowMajor, 0, type), *profile);
      ASSERT_TRUE(plan) << plan.error().message;
      EXPECT_FALSE(kernels::parse(plan->kernel)->family->matrix_units) << plan->kernel;
    }
  }
}

// Where a device has no matrix units, the rung says so instead of running something else.
TEST_F(Faults, ForcedMatrixKernelIsRefusedWithoutMatrixUnits) {
  const auto profile = Bench::get().profile(Setting::standard);
  if (!profile.matrix_configs.empty()) GTEST_SKIP() << "the adapter has matrix units";
  for (const auto& rung : list_rungs()) {
    const auto chosen = rung_kernel(rung, profile);
    const auto kernel = kernels::parse(chosen.kernel);
    ASSERT_TRUE(kernel) << kernel.error().message;
    if (!kernel->family->matrix_units) continue;
    const auto plan = make_plan(make_problem({8, 8, 8}, kRowMajor, 0, chosen.operands), profile,
                                {chosen.kernel, EdgePolicy::checked});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::unsupported);
    EXPECT_THAT(plan.error().message, HasSubstr("subgroup-matrix"));
  }
}

}  // namespace
}  // namespace wgemm::tests
