// Every configuration of every family: each one that the device can run emits in every variant, each other
// one is refused with a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/kernels/kernel.hpp"
#include "core/planning/emit.hpp"
#include "core/text/expression.hpp"
#include "tests/core/devices.hpp"
#include "tests/core/text_facts.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

using kernels::Family;
using kernels::Kernel;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ParameterSpace : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static const Family& family() { return *kernels::find_family(GetParam()); }

  /// Matrix dialects in which the family has texts of its own.
  [[nodiscard]] static std::vector<MatrixDialect> dialects() {
    if (!family().matrix_units) return {MatrixDialect::none};
    return {std::begin(testing::kMatrixDialects), std::end(testing::kMatrixDialects)};
  }
};

/// Texts of a kernel in all layouts, widths that the planner can give, bounds and types.
template <typename Visit>
void for_each_variant(const Kernel& kernel, Visit visit) {
  const bool vectors = kernel.family->access != kernels::Access::elements;
  for (const auto type : testing::types_of(*kernel.family)) {
    for (int bits = 0; bits < 16; ++bits) {
      planning::Variant variant;
      variant.a_k_contiguous = (bits & 1) != 0;
      variant.b_k_contiguous = (bits & 2) != 0;
      variant.bounds = (bits & 4) != 0;
      const bool words = kernel.family->access == kernels::Access::words_along_k;
      const bool along_k = words || kernel.family->access == kernels::Access::vectors_along_k;
      if (along_k && !(variant.a_k_contiguous && variant.b_k_contiguous)) continue;  // packed before
      if ((bits & 8) != 0) {
        if (!vectors || words) continue;
        // Few rows: the axis that the family wants, else element by element.
        const bool along_n = kernel.family->access == kernels::Access::skinny_along_n;
        if (kernels::is_skinny(kernel.family->access) &&
            (!variant.a_k_contiguous || variant.b_k_contiguous == along_n)) {
          continue;
        }
        variant.a_width = variant.b_width = 4;
        if (kernel.family->access == kernels::Access::vectors) variant.c.width = 4;
      }
      variant.a_type = variant.b_type = type;
      if (words) variant.sum = DataType::i32;
      // Both results where they cost little; the standard configurations have every combination in the null
      // adapter's test.
      variant.c.type = bits % 3 == 0 ? DataType::f16 : DataType::f32;
      variant.c.by_column = kernels::is_skinny(kernel.family->access) && bits % 2 == 0;
      visit(variant);
    }
  }
}

TEST_P(ParameterSpace, EveryValidConfigurationEmitsInEveryVariant) {
  const auto all = kernels::enumerate(family());
  // Where there are thousands of configurations, each emits in some of the variants, and the next in others.
  const std::size_t stride = all.size() > 100000 ? 199 : all.size() > 2000 ? 31 : 1;
  std::size_t turn = 0;
  std::size_t texts = 0;
  for (const auto& kernel : all) {
    for (const auto dialect : dialects()) {
      const auto device = testing::generous_device(kernel, dialect);
      if (!kernels::check(kernel, device, testing::types_of(family()).front())) continue;
      for_each_variant(kernel, [&](const planning::Variant& variant) {
        if (turn++ % stride != 0) return;
        const auto figures = kernels::geometry(kernel, variant.a_type);
        ASSERT_TRUE(figures) << figures.error().message;
        const auto shader = planning::emit_shader(kernel, *figures, variant, device);
        ASSERT_TRUE(shader) << kernels::name(kernel) << ": " << shader.error().message;
        ++texts;
        SCOPED_TRACE(shader->label);
        EXPECT_EQ(testing::workgroup_size(shader->wgsl), shader->workgroup_size);
        // What the validity rule counts is what the text declares.
        const auto declared = testing::workgroup_bytes(shader->wgsl);
        if (family().access == kernels::Access::vectors_wide) {  // the order of the operands counts
          EXPECT_LE(declared, figures->workgroup_bytes);
        } else {
          EXPECT_EQ(declared, figures->workgroup_bytes);
        }
        EXPECT_THAT(testing::forbidden_forms(shader->wgsl), IsEmpty());
        EXPECT_EQ(shader->wgsl.find("enable f16;") != std::string::npos, shader->needs_f16);
      });
      if (HasFailure()) return;  // one is enough to read
    }
  }
  EXPECT_GT(texts, 0U);
  RecordProperty("texts", std::to_string(texts));
}

/// Of all combinations, drawn at random, those are configurations that break no constraint.
TEST_P(ParameterSpace, ConfigurationsAreTheCombinationsThatConstraintsAllow) {
  std::set<std::vector<std::int64_t>> listed;
  kernels::for_each_configuration(family(), [&](const Kernel& kernel) {
    EXPECT_TRUE(listed.insert(kernel.values).second) << kernels::name(kernel) << " comes twice";
  });
  std::mt19937 random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same draws everywhere
  std::size_t allowed = 0;
  for (int draw = 0; draw < 3000; ++draw) {
    Kernel kernel{&family(), {}};
    for (const auto& parameter : family().parameters) {
      kernel.values.push_back(parameter.values[random() % parameter.values.size()]);
    }
    const auto names = kernels::environment(kernel);
    const auto broken =
        std::ranges::find_if(family().constraints, [&](const kernels::Constraint& constraint) {
          return text::evaluate(constraint.expression, names).value_or(0) == 0;
        });
    const bool is_listed = listed.contains(kernel.values);
    ASSERT_EQ(is_listed, broken == family().constraints.end()) << kernels::name(kernel);
    allowed += is_listed ? 1 : 0;
    if (is_listed) continue;
    const auto refused =
        kernels::check(kernel, builtin_profiles().front(), testing::types_of(family()).front());
    ASSERT_FALSE(refused) << kernels::name(kernel);
    EXPECT_THAT(refused.error().message, HasSubstr(std::string(broken->reason)));
  }
  EXPECT_GT(allowed, 0U);
}

/// Does the message say which kernel and what of the device is at fault?
void expect_reason(const Kernel& kernel, const Error& error) {
  SCOPED_TRACE(kernels::name(kernel));
  EXPECT_THAT(error.code, AnyOf(ErrorCode::invalid_argument, ErrorCode::unsupported));
  EXPECT_FALSE(error.argument.empty());
  EXPECT_THAT(error.message, AnyOf(HasSubstr(kernels::name(kernel)), HasSubstr("shader-f16")));
}

TEST_P(ParameterSpace, EachConfigurationOnEachDeviceFitsOrIsRefusedWithAReason) {
  const auto all = kernels::enumerate(family());
  for (const auto& profile : builtin_profiles()) {
    for (const auto type : {DataType::f32, DataType::f16, DataType::i8}) {
      // A device without matrix units for a type refuses them all, for one reason: the first stands for the
      // rest.
      const bool units = profile.matrix_dialect == MatrixDialect::emulated ||
                         std::ranges::find(profile.matrix_configs, type, &MatrixConfig::component) !=
                             profile.matrix_configs.end();
      if (family().matrix_units && !units && profile.name != builtin_profiles().front().name) continue;
      std::vector<std::string> valid;
      for (const auto& kernel : all) {
        const auto figures = kernels::check(kernel, profile, type);
        if (!figures) {
          expect_reason(kernel, figures.error());
          continue;
        }
        valid.push_back(kernels::name(kernel));
        SCOPED_TRACE(valid.back() + " on " + profile.name);
        const auto& limits = profile.limits;
        EXPECT_LE(figures->workgroup_x * figures->workgroup_y, limits.max_compute_invocations_per_workgroup);
        EXPECT_LE(figures->workgroup_x, limits.max_compute_workgroup_size_x);
        EXPECT_LE(figures->workgroup_y, limits.max_compute_workgroup_size_y);
        EXPECT_LE(figures->workgroup_bytes, limits.max_compute_workgroup_storage_size);
        EXPECT_GE(figures->workgroup_x * figures->workgroup_y, 1U);
        EXPECT_GE(figures->registers, 1U);
        // No element of a block is left without an invocation, and none serves more often than it is read.
        EXPECT_LE(figures->reuse_m, figures->block_m);
        EXPECT_LE(figures->reuse_n, figures->block_n);
      }
      EXPECT_EQ(list_configurations(family().name, profile, type).value(), valid);
    }
  }
}

// fault 14
TEST_P(ParameterSpace, SubgroupTilesCoverTheTileOfTheirWorkgroupOnce) {
  if (!family().matrix_units) return;
  // subgroup-matrix: four subgroups beside each other, each with 2 x 2 matrices.
  const auto parameter = [](const Kernel& kernel, const char* own, const char* otherwise,
                            std::int64_t times) {
    const bool has =
        std::ranges::any_of(kernel.family->parameters, [&](const auto& each) { return each.name == own; });
    return static_cast<std::uint64_t>(has ? kernels::value_of(kernel, own)
                                          : times * kernels::value_of(kernel, otherwise));
  };
  std::size_t valid = 0;
  for (const auto& kernel : kernels::enumerate(family())) {
    const auto device = testing::generous_device(kernel, MatrixDialect::emulated);
    const auto figures = kernels::check(kernel, device, DataType::f16);
    if (!figures) continue;
    ++valid;
    const auto lanes = static_cast<std::uint64_t>(kernels::value_of(kernel, "LANES"));
    const auto wm = parameter(kernel, "WM", "MM", 2);
    const auto wn = parameter(kernel, "WN", "MN", 2);
    ASSERT_EQ(figures->workgroup_x % lanes, 0U) << kernels::name(kernel);
    const auto subgroups = std::uint64_t{figures->workgroup_x} * figures->workgroup_y / lanes;
    const auto slices = parameter(kernel, "SLICES", "", 0);
    ASSERT_EQ(subgroups * wm * wn,
              std::max<std::uint64_t>(slices, 1) * std::uint64_t{figures->block_m} * figures->block_n)
        << kernels::name(kernel);
    ASSERT_EQ(figures->block_m % wm, 0U) << kernels::name(kernel);
    ASSERT_EQ(figures->block_n % wn, 0U) << kernels::name(kernel);
    ASSERT_EQ(wm % kernels::value_of(kernel, "MM"), 0U) << kernels::name(kernel);
    ASSERT_EQ(wn % kernels::value_of(kernel, "MN"), 0U) << kernels::name(kernel);
  }
  EXPECT_GT(valid, 10U);
}

TEST_P(ParameterSpace, EveryValueOfEveryParameterIsOfUse) {
  const auto all = kernels::enumerate(family());
  for (const auto& parameter : family().parameters) {
    for (const auto value : parameter.values) {
      const bool used = std::ranges::any_of(all, [&](const Kernel& kernel) {
        return kernels::value_of(kernel, parameter.name) == value &&
               kernels::check(kernel, testing::generous_device(kernel, MatrixDialect::emulated),
                              testing::types_of(family()).front());
      });
      EXPECT_TRUE(used) << parameter.name << value;
    }
  }
}

TEST_P(ParameterSpace, AForcedKernelIsPlannedOrRefusedNeverReplaced) {
  const auto all = kernels::enumerate(family());
  // Planning emits text; a hundred of a large family stand for all.
  const auto stride = std::max<std::size_t>(1, all.size() / 100);
  for (const auto& profile : builtin_profiles()) {
    for (std::size_t i = 0; i < all.size(); i += stride) {
      const auto& kernel = all[i];
      const auto name = kernels::name(kernel);
      auto problem = testing::problem(33, 70, 37);
      problem.a.type = problem.b.type = testing::types_of(family()).front();
      const auto plan = make_plan(problem, profile, {name, EdgePolicy::checked});
      const auto fits = kernels::check(kernel, profile, problem.a.type);
      ASSERT_EQ(plan.has_value(), fits.has_value()) << name << " on " << profile.name;
      if (plan) {
        EXPECT_EQ(plan->kernel, name);
      } else {
        EXPECT_EQ(plan.error().message, fits.error().message);
      }
    }
  }
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const auto& family : kernels::families()) names.emplace_back(family.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Families, ParameterSpace, ::testing::ValuesIn(family_names()), [](const auto& info) {
  auto name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Dialects, NagaGetsNoEnableForSubgroupsAndNoMatrices) {
  for (auto profile : builtin_profiles()) {
    profile.dialect = Dialect::naga;
    profile.library = "wgpu";
    for (const auto& family : kernels::families()) {
      if (family.matrix_units && profile.matrix_dialect != MatrixDialect::emulated) continue;
      const auto plan =
          make_plan(testing::problem(33, 70, 37), profile, {std::string(family.name), EdgePolicy::checked});
      if (!plan) continue;
      for (const auto& shader : plan->shaders) {
        EXPECT_EQ(shader.wgsl.find("enable subgroups"), std::string::npos) << shader.label;
        EXPECT_EQ(shader.wgsl.find("chromium"), std::string::npos) << shader.label;
      }
    }
  }
}

TEST(Dialects, DawnGetsTheEnablesThatMatricesNeedAndBothSpellings) {
  auto profile = *find_profile("h200");
  Problem problem = testing::problem(128, 128, 64);
  problem.a.type = problem.b.type = DataType::f16;
  const auto text = [&](MatrixDialect dialect) {
    profile.matrix_dialect = dialect;
    const auto plan = make_plan(problem, profile, {"subgroup-matrix", EdgePolicy::checked});
    EXPECT_TRUE(plan) << plan.error().message;
    return plan ? plan->shaders.at(plan->steps.at(0).shader).wgsl : std::string();
  };
  const auto newer = text(MatrixDialect::majorness_template);
  EXPECT_THAT(newer, HasSubstr("enable subgroups;"));
  EXPECT_THAT(newer, HasSubstr("enable chromium_experimental_subgroup_matrix;"));
  EXPECT_THAT(newer, HasSubstr("subgroupMatrixLoad<Left, row_major>("));
  EXPECT_THAT(newer, HasSubstr("subgroupMatrixStore<row_major>("));
  const auto older = text(MatrixDialect::majorness_argument);
  EXPECT_THAT(older, HasSubstr("subgroupMatrixLoad<Left>("));
  EXPECT_THAT(older, ::testing::Not(HasSubstr("row_major")));
  const auto emulated = text(MatrixDialect::emulated);
  EXPECT_THAT(emulated, ::testing::Not(HasSubstr("subgroupMatrix")));
  EXPECT_THAT(emulated, ::testing::Not(HasSubstr("enable subgroups")));
}

/// How the loads of a text begin, up to the end of their arguments.
std::vector<std::string> matrix_loads(const std::string& text) {
  std::vector<std::string> loads;
  for (auto at = text.find("subgroupMatrixLoad<"); at != std::string::npos;
       at = text.find("subgroupMatrixLoad<", at + 1)) {
    loads.push_back(text.substr(at, text.find(';', at) - at));
  }
  return loads;
}

TEST(Dialects, PlacesOfMatrixLoadsAreNumbers) {
  auto profile = *find_profile("h200");
  for (const auto dialect : {MatrixDialect::majorness_template, MatrixDialect::majorness_argument}) {
    profile.matrix_dialect = dialect;
    for (const auto* kernel : {"subgroup-matrix", "matrix-tile"}) {
      Problem problem = testing::problem(128, 128, 64);
      problem.a.type = problem.b.type = DataType::f16;
      for (const auto order : {Order::row_major, Order::col_major}) {
        problem.a.order = problem.b.order = order;
        const auto plan = make_plan(problem, profile, {kernel, EdgePolicy::checked});
        ASSERT_TRUE(plan) << plan.error().message;
        const auto loads = matrix_loads(plan->shaders.at(plan->steps.at(0).shader).wgsl);
        EXPECT_GE(loads.size(), 8U);
        for (const auto& load : loads) {
          EXPECT_THAT(load,
                      ::testing::MatchesRegex(
                          "subgroupMatrixLoad<.*>.&tile_[ab].[a-z_]+., [0-9]+, (true, |false, )?[0-9]+."));
        }
      }
    }
  }
}

}  // namespace
}  // namespace wgemm
