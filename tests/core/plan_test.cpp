// What a plan says: its steps, its buffers, its traffic, and that its texts know no sizes.
#include "wgemm/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/core/devices.hpp"
#include "tests/core/text_facts.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::problem;

Plan plan_of(const Problem& problem, const std::string& kernel, EdgePolicy edges = EdgePolicy::checked,
             std::string_view device = "emulated") {
  auto plan = make_plan(problem, *find_profile(device), {kernel, edges});
  EXPECT_TRUE(plan) << plan.error().message;
  return plan.value_or(Plan{});
}

std::vector<StepKind> kinds(const Plan& plan) {
  std::vector<StepKind> result;
  result.reserve(plan.steps.size());
  for (const auto& step : plan.steps) result.push_back(step.kind);
  return result;
}

const Step& multiply_step(const Plan& plan) {
  return *std::ranges::find_if(plan.steps, [](const Step& step) { return step.kind == StepKind::multiply; });
}

/// The names of the rungs, and all layouts of the three matrices.
template <typename Visit>
void for_each_rung_and_layout(Visit visit) {
  for (const auto& rung : list_rungs()) {
    for (int orders = 0; orders < 8; ++orders) {
      auto each = problem(33, 70, 37);
      each.a.order = testing::kOrders[orders & 1];
      each.b.order = testing::kOrders[orders >> 1 & 1];
      each.c.order = testing::kOrders[orders >> 2];
      visit(std::string(rung.name), each);
    }
  }
}

TEST(Plan, EveryReferenceIsWithinIt) {
  for_each_rung_and_layout([](const std::string& rung, const Problem& each) {
    for (const auto edges : {EdgePolicy::checked, EdgePolicy::padded}) {
      const auto plan = plan_of(each, rung, edges);
      for (const auto& step : plan.steps) {
        ASSERT_LT(step.shader, plan.shaders.size());
        EXPECT_FALSE(step.dispatches.empty());
        std::vector<std::uint32_t> buffers;
        for (const auto& binding : step.bindings) {
          ASSERT_LT(binding.buffer, plan.buffers.size());
          EXPECT_NE(binding.index, step.uniform_binding);
          EXPECT_THAT(buffers, Not(::testing::Contains(binding.buffer)))
              << "bound for reading and writing at once";
          buffers.push_back(binding.buffer);
          const auto role = plan.buffers[binding.buffer].role;
          EXPECT_FALSE(binding.writable && (role == BufferRole::a || role == BufferRole::b)) << rung;
        }
      }
      for (const auto& buffer : plan.buffers) EXPECT_EQ(buffer.bytes % 4, 0U) << rung;
    }
  });
}

TEST(Plan, TheLastElementThatAKernelReachesLiesWithinItsBuffer) {
  const auto last_byte = [](std::uint64_t lines, std::uint64_t length, std::uint64_t ld) {
    return ((lines - 1) * ld + length) * 4;
  };
  for_each_rung_and_layout([&](const std::string& rung, const Problem& each) {
    for (const auto edges : {EdgePolicy::checked, EdgePolicy::padded}) {
      const auto plan = plan_of(each, rung, edges);
      const auto& step = multiply_step(plan);
      const auto& words = step.dispatches.front().uniforms;  // m, n, k, lda, ldb, ldc, …
      const auto& label = plan.shaders[step.shader].label;
      const auto variant = label.find('.');  // "tiled_TILE16….rc.f32…": orders of A and B
      const bool a_rows = label.at(variant + 1) == 'r';
      const bool b_rows = label.at(variant + 2) == 'r';
      const std::uint64_t m = words[0];
      const std::uint64_t n = words[1];
      const std::uint64_t k = words[2];
      const auto bytes = [&](std::size_t binding) {
        return plan.buffers[step.bindings[binding].buffer].bytes;
      };
      EXPECT_EQ(bytes(0), a_rows ? last_byte(m, k, words[3]) : last_byte(k, m, words[3]))
          << rung << " " << label;
      EXPECT_EQ(bytes(1), b_rows ? last_byte(k, n, words[4]) : last_byte(n, k, words[4]))
          << rung << " " << label;
      EXPECT_EQ(bytes(2), last_byte(m, n, words[5])) << rung << " " << label;
    }
  });
}

TEST(Padding, CopiesOperandsIntoWholeTilesAndCropsTheResult) {
  const auto plan = plan_of(problem(33, 70, 37), "tiled_TILE16", EdgePolicy::padded);
  EXPECT_THAT(kinds(plan), ElementsAre(StepKind::pad, StepKind::pad, StepKind::multiply, StepKind::reduce));
  EXPECT_THAT(plan.steps[0].dispatches.at(0).uniforms, ElementsAre(33, 37, 48, 48, 37, 48, 0, 0));
  EXPECT_THAT(plan.steps[1].dispatches.at(0).uniforms, ElementsAre(37, 70, 48, 80, 70, 80, 0, 0));
  EXPECT_THAT(plan.steps[2].dispatches.at(0).uniforms, ElementsAre(48, 80, 48, 48, 80, 80, 0, 0));
  EXPECT_THAT(plan.steps[3].dispatches.at(0).uniforms, ElementsAre(33, 70, 37, 80, 70, 70, 0, 0, 1, 48 * 80));
  EXPECT_THAT(plan.shaders[plan.steps[2].shader].label, HasSubstr(".whole"));
  EXPECT_EQ(plan.shaders.size(), 3U) << "the copies share one text";
  EXPECT_EQ(plan.buffers[plan.steps[3].bindings.at(1).buffer].role, BufferRole::c);
}

TEST(Padding, NeedsNothingWhereTheTilesAreWhole) {
  const auto plan = plan_of(problem(32, 64, 48), "tiled_TILE16", EdgePolicy::padded);
  EXPECT_THAT(kinds(plan), ElementsAre(StepKind::multiply));
  for (const auto& buffer : plan.buffers) EXPECT_NE(buffer.role, BufferRole::scratch);
}

TEST(Padding, LeavesNoGuardInAnyRung) {
  for_each_rung_and_layout([](const std::string& rung, const Problem& each) {
    const auto plan = plan_of(each, rung, EdgePolicy::padded);
    const auto& shader = plan.shaders[multiply_step(plan).shader];
    EXPECT_THAT(shader.label, HasSubstr(".whole")) << rung;
    EXPECT_THAT(shader.wgsl, Not(HasSubstr("return 0;"))) << rung;
  });
}

TEST(Edges, AreGuardedExactlyWhereABlockReachesBeyond) {
  const auto whole = [](std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    return plan_of(problem(m, n, k), "tiled_TILE16").shaders.at(0).label.ends_with(".whole");
  };
  EXPECT_TRUE(whole(32, 48, 64));
  EXPECT_FALSE(whole(33, 48, 64));
  EXPECT_FALSE(whole(32, 47, 64));
  EXPECT_FALSE(whole(32, 48, 65));
}

TEST(ColumnMajorC, IsTheTransposedProductWithTheOperandsExchanged) {
  auto each = problem(33, 70, 37);
  each.c.order = Order::col_major;
  const auto plan = plan_of(each, "tiled");
  ASSERT_THAT(kinds(plan), ElementsAre(StepKind::multiply));
  const auto& step = plan.steps[0];
  EXPECT_EQ(plan.buffers[step.bindings.at(0).buffer].role, BufferRole::b);
  EXPECT_EQ(plan.buffers[step.bindings.at(1).buffer].role, BufferRole::a);
  EXPECT_EQ(plan.buffers[step.bindings.at(2).buffer].role, BufferRole::c);
  // C^T (70 x 33) = B^T A^T; B^T is B read by columns, so both operands appear column-major.
  EXPECT_THAT(step.dispatches.at(0).uniforms, ElementsAre(70, 33, 37, 70, 37, 33, 0, 0));
  EXPECT_THAT(plan.shaders[step.shader].label, HasSubstr(".cc."));
}

TEST(VectorsAlongK, PackWhatDoesNotRunAlongK) {
  auto each = problem(64, 64, 64);
  EXPECT_THAT(kinds(plan_of(each, "vec4")), ElementsAre(StepKind::transpose, StepKind::multiply));
  each.b.order = Order::col_major;
  EXPECT_THAT(kinds(plan_of(each, "vec4")), ElementsAre(StepKind::multiply));
  each.a.order = Order::col_major;
  EXPECT_THAT(kinds(plan_of(each, "vec4")), ElementsAre(StepKind::transpose, StepKind::multiply));
}

TEST(VectorsAlongK, AreWholeVectorsWhateverKIs) {
  for (const std::uint64_t k : {1U, 2U, 3U, 4U, 37U}) {
    auto each = problem(33, 70, k);
    each.b.order = Order::col_major;
    const auto plan = plan_of(each, "vec4");
    const auto& words = multiply_step(plan).dispatches.at(0).uniforms;
    EXPECT_EQ(words[2], (k + 3) / 4 * 4);
    EXPECT_EQ(words[3] % 4, 0U);
    EXPECT_EQ(words[4] % 4, 0U);
    EXPECT_THAT(plan.shaders[multiply_step(plan).shader].label, HasSubstr(".v441."));
  }
}

TEST(VectorsAlongK, PackRowsThatAreNotAlignedToVectors) {
  auto each = problem(64, 64, 64);
  each.a.ld = 67;
  each.b = {DataType::f32, Order::col_major, 65};
  const auto plan = plan_of(each, "vec4");
  EXPECT_THAT(kinds(plan), ElementsAre(StepKind::pad, StepKind::pad, StepKind::multiply));
  EXPECT_THAT(plan.shaders[multiply_step(plan).shader].label, HasSubstr(".v441."));
}

TEST(Traffic, OfNaiveIsTwoReadsForEachProduct) {
  const auto traffic = plan_of(problem(10, 20, 30), "naive").traffic;
  EXPECT_EQ(traffic.flops, 2.0 * 10 * 20 * 30);
  EXPECT_EQ(traffic.global_bytes, 4.0 * 2 * 10 * 20 * 30 + 4.0 * 10 * 20);
  EXPECT_EQ(traffic.compulsory_bytes, 4.0 * (10 * 30 + 30 * 20 + 10 * 20));
  EXPECT_DOUBLE_EQ(traffic.intensity(), 12000.0 / 48800.0);
}

TEST(Traffic, OfTilesIsDividedByTheirEdge) {
  // 2 x 3 blocks, each of 4 steps that read two tiles of 16 x 16.
  EXPECT_EQ(plan_of(problem(32, 48, 64), "tiled_TILE16").traffic.global_bytes,
            4.0 * (2 * 3) * 4 * (2 * 16 * 16) + 4.0 * 32 * 48);
}

TEST(Traffic, CountsTilesAtTheEdgesInFull) {
  EXPECT_EQ(plan_of(problem(17, 1, 1), "tiled_TILE16").traffic.global_bytes,
            4.0 * 2 * (2 * 16 * 16) + 4.0 * 17);
}

TEST(Traffic, OfBlocksThatAreNotSquare) {
  // BM = 16, BN = 32, BK = 8: 4 x 2 blocks, each of 4 steps that read 16 x 8 of A and 8 x 32 of B.
  EXPECT_EQ(plan_of(problem(64, 64, 32), "thread-tile_BM16_BN32_BK8_TM2_TN4").traffic.global_bytes,
            4.0 * (4 * 2) * 4 * (16 * 8 + 8 * 32) + 4.0 * 64 * 64);
}

TEST(Traffic, CountsTheBytesOfEachType) {
  auto each = problem(32, 48, 64);
  each.a.type = each.b.type = DataType::f16;
  const auto traffic = plan_of(each, "tiled_TILE16").traffic;
  EXPECT_EQ(traffic.global_bytes, 2.0 * (2 * 3) * 4 * (2 * 16 * 16) + 4.0 * 32 * 48);
  EXPECT_EQ(traffic.compulsory_bytes, 2.0 * (32 * 64 + 64 * 48) + 4.0 * 32 * 48);
  each.c.type = DataType::f16;
  EXPECT_EQ(plan_of(each, "tiled_TILE16").traffic.compulsory_bytes, 2.0 * (32 * 64 + 64 * 48 + 32 * 48));
}

TEST(Traffic, OfMatrixUnitsFollowsTheirBlock) {
  // 4 MM x 4 MN = 64 x 32 of C: 1 x 2 blocks, 2 steps of 32.
  auto each = problem(64, 64, 64);
  each.a.type = each.b.type = DataType::f16;
  EXPECT_EQ(plan_of(each, "subgroup-matrix_MM16_MN8_MK16_BK32").traffic.global_bytes,
            2.0 * 2 * 2 * (64 * 32 + 32 * 32) + 4.0 * 64 * 64);
}

TEST(Texts, SameLabelMeansSameText) {
  std::map<std::string, std::string> texts;
  for (auto profile : builtin_profiles()) {
    for (const auto dialect : {Dialect::dawn, Dialect::naga}) {
      profile.dialect = dialect;
      for_each_rung_and_layout([&](const std::string& rung, Problem each) {
        for (const std::uint64_t scale : {1U, 7U, 32U}) {
          each.m *= scale;
          each.n *= scale;
          each.k *= scale;
          for (const auto type : testing::kTypes) {
            each.a.type = each.b.type = type;
            const auto plan = make_plan(each, profile, {rung, EdgePolicy::checked});
            if (!plan) continue;
            for (const auto& shader : plan->shaders) {
              const auto [known, is_new] = texts.emplace(shader.label, shader.wgsl);
              EXPECT_TRUE(known->second == shader.wgsl) << shader.label;
            }
          }
        }
      });
    }
  }
  EXPECT_GT(texts.size(), 100U);
  std::map<std::string, std::string> labels;
  for (const auto& [label, text] : texts) {
    const auto [known, is_new] = labels.emplace(text, label);
    EXPECT_TRUE(is_new) << known->second << " and " << label << " are one text";
  }
}

TEST(Texts, KnowNoSizes) {
  for (const auto& rung : list_rungs()) {
    auto each = problem(4723, 3571, 4507);
    each.a.ld = 5101;
    each.c.ld = 4001;
    for (const auto& shader : plan_of(each, std::string(rung.name)).shaders) {
      for (const auto* size : {"4723", "3571", "4507", "5101", "4001"})
        EXPECT_THAT(shader.wgsl, Not(HasSubstr(size)));
    }
  }
}

TEST(Texts, OfCopiesHoldNoForbiddenForms) {
  for_each_rung_and_layout([](const std::string& rung, const Problem& each) {
    for (const auto& shader : plan_of(each, rung, EdgePolicy::padded).shaders) {
      EXPECT_THAT(testing::forbidden_forms(shader.wgsl), IsEmpty()) << shader.label;
      EXPECT_EQ(testing::workgroup_size(shader.wgsl), shader.workgroup_size) << shader.label;
    }
  });
}

TEST(Choice, ATinyDeviceAlwaysHasAKernel) {
  for (const auto& profile : builtin_profiles()) {
    for (const auto& [m, n, k] :
         {std::array<std::uint64_t, 3>{1, 1, 1}, {1, 4096, 64}, {4096, 1, 64}, {9, 9, 9}, {512, 512, 512}}) {
      const auto plan = make_plan(problem(m, n, k), profile);
      ASSERT_TRUE(plan) << profile.name << ": " << plan.error().message;
      EXPECT_FALSE(plan->kernel.empty());
    }
  }
  auto tiny = *find_profile("minimum");
  tiny.limits.max_compute_workgroup_storage_size = 0;
  EXPECT_TRUE(make_plan(problem(512, 512, 512), tiny)) << "a kernel without workgroup memory remains";
}

TEST(Errors, AForcedKernelThatCannotRunNamesTheLimit) {
  const auto plan =
      make_plan(problem(64, 64, 64), *find_profile("minimum"), {"tiled_TILE32_ROWS1", EdgePolicy::checked});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::unsupported);
  EXPECT_EQ(plan.error().argument, "maxComputeInvocationsPerWorkgroup");
  EXPECT_THAT(plan.error().message, HasSubstr("1024"));
  EXPECT_THAT(plan.error().message, HasSubstr("256"));
}

}  // namespace
}  // namespace wgemm
