// What the fuzzer draws: valid problems from the whole space, the same for a seed, and smaller ones by name.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "verify/fuzz/forced_limits.hpp"
#include "verify/fuzz/fuzzer.hpp"
#include "verify/fuzz/refusals.hpp"
#include "verify/fuzz/simplify.hpp"

namespace wgemm::verify::fuzz {
namespace {

DeviceProfile device() {
  auto profile = *find_profile("lavapipe");
  profile.matrix_dialect = MatrixDialect::emulated;
  return profile;
}

TEST(Draw, IsValidAndPlannedOrRefusedForAGoodReason) {
  const auto profile = device();
  const auto kernels = small_kernels(profile, {});
  std::uint64_t refused = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const auto group = draw_group(kernels, 1, number);
    for (std::uint64_t i = 0; i < 6; ++i) {
      const auto each = draw_case(group, 1, number, i);
      const auto valid = validate(each.problem);
      ASSERT_TRUE(valid) << number << "." << i << " " << describe(each) << ": " << valid.error().message;
      const auto plan = make_plan(each.problem, profile, each.options);
      if (plan) continue;
      ++refused;
      ASSERT_TRUE(is_right_refusal(each, profile, plan.error()))
          << number << "." << i << " " << describe(each) << ": " << plan.error().message;
    }
  }
  EXPECT_LT(refused, 100);
}

// fault 8
TEST(Draw, PlansKeepTheLimitsThatACaseForces) {
  const auto kernels = small_kernels(device(), {});
  std::uint64_t windows = 0;  // ranges of scales and zero points that are not the whole buffer
  for (std::uint64_t number = 0; number < 400; ++number) {
    auto group = draw_group(kernels, 1, number);
    group.small_bindings = true;
    for (std::uint64_t i = 0; i < 6; ++i) {
      const auto each = draw_case(group, 1, number, i);
      const auto profile = limited(device(), each);
      const auto plan = make_plan(each.problem, profile, each.options);
      if (!plan) continue;
      ASSERT_EQ(passed_limit(*plan, profile.limits), "") << number << "." << i << " " << describe(each);
      for (const auto& step : plan->steps) {
        for (const auto& binding : step.bindings) {
          const auto role = plan->buffers.at(binding.buffer).role;
          windows += (role == BufferRole::scales || role == BufferRole::zeros) && binding.offset != 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(windows, 100);
}

TEST(Draw, PassedLimitsAreNamed) {
  Problem problem;
  problem.m = problem.n = problem.k = 64;
  const auto plan = make_plan(problem, device(), {"naive"}).value();
  Limits limits = device().limits;
  EXPECT_EQ(passed_limit(plan, limits), "");
  limits.max_storage_buffer_binding_size = 16380;
  EXPECT_EQ(passed_limit(plan, limits), "step 0 binds 16384 bytes of a; the limit is 16380");
  limits = device().limits;
  limits.max_compute_workgroups_per_dimension = 2;
  EXPECT_NE(passed_limit(plan, limits).find("workgroups in a dimension; the limit is 2"), std::string::npos);
}

TEST(Draw, FollowsTheSeed) {
  const auto kernels = small_kernels(device(), {});
  const auto drawn = [&](std::uint64_t seed) {
    const auto group = draw_group(kernels, seed, 3);
    return describe(draw_case(group, seed, 3, 5));
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(Draw, ReachesTheWholeSpace) {
  const auto kernels = small_kernels(device(), {});
  std::set<std::string> seen;
  for (std::uint64_t number = 0; number < 400; ++number) {
    const auto group = draw_group(kernels, 1, number);
    seen.insert(group.options.kernel.substr(0, group.options.kernel.find('_')));
    for (std::uint64_t i = 0; i < 8; ++i) {
      const auto each = draw_case(group, 1, number, i);
      const auto& problem = each.problem;
      for (const auto* layout : {&problem.a, &problem.b, &problem.c}) {
        seen.insert("type " + std::string(to_string(layout->type)));
        seen.insert("order " + std::string(to_string(layout->order)));
        if (layout->ld != 0) seen.insert("ld");
        if (layout->offset != 0) seen.insert("offset");
      }
      seen.insert("rank " + std::to_string(problem.batch.rank));
      if (!problem.batch.table.empty()) seen.insert("table");
      for (std::uint32_t d = 0; d < problem.batch.rank; ++d) {
        if (problem.batch.a.at(d) == 0) seen.insert("broadcast a");
        if (problem.batch.b.at(d) == 0) seen.insert("broadcast b");
        if (problem.batch.extents.at(d) == 0) seen.insert("empty batch");
      }
      for (const auto size : {problem.m, problem.n, problem.k}) {
        if (size <= 1) seen.insert("size " + std::to_string(size));
      }
      seen.insert("bias " + std::string(to_string(problem.epilogue.bias)));
      seen.insert("act " + std::string(to_string(problem.epilogue.activation)));
      if (problem.epilogue.add_residual) seen.insert("residual");
      if (problem.alpha != 1) seen.insert("alpha");
      if (problem.beta != 0) seen.insert("beta");
      if (problem.accumulate == Accumulate::f16) seen.insert("f16 sums");
      if (problem.quantization.zeros) seen.insert("zeros");
      if (each.options.split_k > 1) seen.insert("split");
      if (each.options.edges == EdgePolicy::padded) seen.insert("padded");
      if (each.options.dequantise) seen.insert("dequantise");
      if (each.workgroups_per_dimension != 0) seen.insert("few workgroups");
      if (each.binding_bytes != 0) seen.insert("small bindings");
    }
  }
  for (const auto& family : list_kernels())
    EXPECT_TRUE(seen.contains(std::string(family.name))) << family.name;
  for (const auto* what : {"",
                           "type f32",
                           "type f16",
                           "type i32",
                           "type i8",
                           "type u8",
                           "type i4",
                           "type u4",
                           "order row_major",
                           "order col_major",
                           "ld",
                           "offset",
                           "rank 0",
                           "rank 1",
                           "rank 2",
                           "rank 3",
                           "rank 4",
                           "table",
                           "broadcast a",
                           "broadcast b",
                           "empty batch",
                           "size 0",
                           "size 1",
                           "bias per_row",
                           "bias per_column",
                           "act relu",
                           "act gelu",
                           "act gelu_tanh",
                           "act silu",
                           "act clamp",
                           "residual",
                           "alpha",
                           "beta",
                           "f16 sums",
                           "zeros",
                           "split",
                           "padded",
                           "dequantise",
                           "few workgroups",
                           "small bindings"}) {
    EXPECT_TRUE(seen.contains(what)) << what;
  }
}

TEST(Simplify, KeepsWhatMakesACaseFailAndNamesItsSteps) {
  const auto kernels = small_kernels(device(), {});
  const auto fails = [](const Case& each) { return each.problem.k >= 3 && each.problem.beta != 0; };
  std::uint64_t tried = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    auto each = draw_case(draw_group(kernels, 1, number), 1, number, 1);
    if (!fails(each)) continue;
    ++tried;
    auto smallest = each;
    const auto steps = simplify_while(smallest, fails, 500);
    EXPECT_TRUE(fails(smallest));
    EXPECT_EQ(smallest.problem.k, 3);
    EXPECT_LE(smallest.problem.m, 1);
    EXPECT_EQ(smallest.problem.batch.rank, 0);
    EXPECT_EQ(smallest.problem.epilogue.bias, Bias::none);
    for (const auto& step : steps) EXPECT_TRUE(simplify(each, step)) << step;
    EXPECT_EQ(describe(each), describe(smallest));
  }
  EXPECT_GT(tried, 3);
}

}  // namespace
}  // namespace wgemm::verify::fuzz
