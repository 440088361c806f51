// Products past the limits of a device, carried out on the host from their plans: whatever the limits, each
// element of C comes out exact, and no range, index or dispatch is outside of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "core/kernels/kernel.hpp"
#include "tests/core/devices.hpp"
#include "tests/core/interpreter.hpp"
#include "wgemm/planner.hpp"

namespace wgemm {
namespace {

constexpr std::uint64_t kKiB = 1024;

/// The value of an operand's element: a small integer, so that sums are exact.
float value(Matrix matrix, std::uint64_t element) {
  return static_cast<float>(
      static_cast<int>((element * 7 + element / 13 + static_cast<std::uint64_t>(matrix) * 3) % 5) - 2);
}

std::vector<float> filled(const Problem& problem, Matrix matrix) {
  std::vector<float> elements(buffer_bytes(problem, matrix) / 4);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = value(matrix, i);
  return elements;
}

std::uint64_t index_of(const Problem& problem, Matrix matrix, std::uint64_t product, std::uint64_t row,
                       std::uint64_t col) {
  if (is_transposed(problem, matrix)) std::swap(row, col);
  const auto ld = leading_dimension(problem, matrix);
  return first_element(problem, matrix, product) +
         (layout_of(problem, matrix).order == Order::row_major ? row * ld + col : col * ld + row);
}

/// C as the definition has it.
std::vector<float> expected_c(const Problem& problem, const testing::Buffers& buffers) {
  auto c = buffers[2];
  const auto& epilogue = problem.epilogue;
  for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
    for (std::uint64_t row = 0; row < problem.m; ++row) {
      for (std::uint64_t col = 0; col < problem.n; ++col) {
        float sum = 0;
        for (std::uint64_t k = 0; k < problem.k; ++k) {
          sum += buffers[0][index_of(problem, Matrix::a, product, row, k)] *
                 buffers[1][index_of(problem, Matrix::b, product, k, col)];
        }
        auto& element = c[index_of(problem, Matrix::c, product, row, col)];
        sum = problem.alpha * sum + (problem.beta != 0 ? problem.beta * element : 0);
        if (epilogue.bias == Bias::per_row) sum += buffers[3][row];
        if (epilogue.bias == Bias::per_column) sum += buffers[3][col];
        if (epilogue.activation == Activation::relu) sum = std::max(sum, 0.0F);
        if (epilogue.activation == Activation::clamp) sum = std::clamp(sum, epilogue.lower, epilogue.upper);
        if (epilogue.add_residual) sum += buffers[4][index_of(problem, Matrix::residual, product, row, col)];
        element = sum;
      }
    }
  }
  return c;
}

void expect_exact(const Problem& problem, const DeviceProfile& device, const PlanOptions& options) {
  SCOPED_TRACE(describe(problem) + " kernel '" + options.kernel + "' split " +
               std::to_string(options.split_k) + (options.edges == EdgePolicy::padded ? " padded" : "") +
               " binding " + std::to_string(device.limits.max_storage_buffer_binding_size) + " scratch " +
               std::to_string(options.scratch_cap));
  const auto plan = make_plan(problem, device, options);
  ASSERT_TRUE(plan) << plan.error().message;
  testing::Buffers buffers(kCallerBuffers);
  for (const auto matrix : {Matrix::a, Matrix::b, Matrix::c}) {
    buffers[static_cast<std::size_t>(matrix)] = filled(problem, matrix);
  }
  buffers[4] = filled(problem, Matrix::residual);
  buffers[3].resize(bias_length(problem));
  for (std::size_t i = 0; i < buffers[3].size(); ++i) buffers[3][i] = static_cast<float>(i % 9);
  if (problem.beta == 0) std::ranges::fill(buffers[2], std::nanf(""));
  const auto wanted = expected_c(problem, buffers);
  testing::interpret(*plan, device.limits, buffers);
  if (::testing::Test::HasFailure()) return;
  std::uint64_t scratch = 0;
  for (const auto& buffer : plan->buffers) scratch += buffer.role == BufferRole::scratch ? buffer.bytes : 0;
  if (options.scratch_cap != 0) {
    EXPECT_LE(scratch, options.scratch_cap);
  }
  if (options.max_dispatch_flops > 0) {
    for (const auto& step : plan->steps) {
      for (const auto& dispatch : step.dispatches) {
        const auto& [x, y, z] = dispatch.workgroups;
        const double groups = static_cast<double>(x) * y * z;
        EXPECT_TRUE(groups == 1 || groups * step.workgroup_flops <= options.max_dispatch_flops);
      }
    }
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool same = wanted[i] == buffers[2][i] || (std::isnan(wanted[i]) && std::isnan(buffers[2][i]));
    ASSERT_TRUE(same) << "element " << i << " of C is " << buffers[2][i] << ", expected " << wanted[i];
  }
}

DeviceProfile small_device(std::uint64_t binding) {
  DeviceProfile device;
  device.name = "small";
  device.limits.max_storage_buffer_binding_size = binding;
  device.limits.max_compute_workgroups_per_dimension = 40;
  return device;
}

const char* const kKernels[] = {"",
                                "coalesced_WX8_WY8",
                                "tiled_TILE8",
                                "vec4_BM16_BN16_BK16_TM2_TN2",
                                "register-tile_BM32_BN32_BK8_TM4_TN4_PAD0",
                                "skinny-n_TM4_BN32_SLICES4",
                                "skinny-k_TM2_TN4_LANES8_GROUPS4"};

Problem random_problem(std::mt19937_64& draw) {
  const auto below = [&](std::uint64_t n) { return draw() % n; };
  // Round sizes, on which texts without checks run, and others; some skinny ones.
  const auto size = [&](std::uint64_t most) {
    return below(3) == 0 ? 16 * (1 + below(most / 16)) : 1 + below(most);
  };
  auto problem = testing::problem(size(90), size(90), size(140));
  if (below(5) == 0) problem.m = 1 + below(4);
  if (below(5) == 0) problem.n = 1 + below(4);
  problem.trans_a = below(2) == 0 ? Transpose::none : Transpose::transpose;
  problem.trans_b = below(2) == 0 ? Transpose::none : Transpose::transpose;
  problem.alpha = below(2) == 0 ? 1.0F : 2.0F;
  problem.beta = below(2) == 0 ? 0.0F : -1.0F;
  auto& epilogue = problem.epilogue;
  epilogue.bias = static_cast<Bias>(below(3));
  epilogue.activation = below(3) == 0   ? Activation::relu
                        : below(3) == 0 ? Activation::clamp
                                        : Activation::none;
  epilogue.lower = -30;
  epilogue.upper = 20;
  epilogue.add_residual = below(3) == 0;
  problem.batch.rank = static_cast<std::uint32_t>(below(3));
  for (const auto matrix : {Matrix::a, Matrix::b, Matrix::c, Matrix::residual}) {
    auto& layout = matrix == Matrix::a   ? problem.a
                   : matrix == Matrix::b ? problem.b
                   : matrix == Matrix::c ? problem.c
                                         : epilogue.residual;
    layout.order = below(2) == 0 ? Order::row_major : Order::col_major;
    const auto shape = stored_shape(problem, matrix);
    if (below(2) == 0) {
      layout.ld = (layout.order == Order::row_major ? shape.cols : shape.rows) + below(9);
    }
    auto stride = size_in_bytes(layout, shape.rows, shape.cols) / 4 + below(3);
    layout.offset = below(3) == 0 ? below(900) : 0;
    for (auto d = problem.batch.rank; d-- > 0;) {
      problem.batch.extents.at(d) = d == 0 ? 3 : 2;
      const bool broadcast = matrix != Matrix::c && below(4) == 0;
      strides_of(problem.batch, matrix).at(d) = broadcast ? 0 : stride;
      stride *= problem.batch.extents.at(d);
    }
  }
  if (problem.batch.rank > 0 && below(3) == 0) {  // the same matrices by table
    std::vector<BatchOffsets> table;
    for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
      const auto start = [&](Matrix matrix) {
        return first_element(problem, matrix, product) - layout_of(problem, matrix).offset;
      };
      table.push_back({start(Matrix::a), start(Matrix::b), start(Matrix::c), start(Matrix::residual)});
    }
    problem.batch = {};
    problem.batch.table = std::move(table);
  }
  return problem;
}

constexpr std::uint32_t kSplits[] = {0, 1, 2, 3, 9};

// fault 8
TEST(Limits, No08RandomProblemsAreExactUnderTinyBindings) {
  std::mt19937_64 draw(20261130);
  for (int i = 0; i < 100; ++i) {
    const auto problem = random_problem(draw);
    PlanOptions options;
    options.kernel = kKernels[i % std::size(kKernels)];
    options.split_k = kSplits[draw() % std::size(kSplits)];
    if (draw() % 3 == 0) options.max_dispatch_flops = 1e5;
    const std::uint64_t bindings[] = {4 * kKiB, 16 * kKiB, 64 * kKiB, 128 * kKiB * kKiB};
    const auto binding = bindings[draw() % 4];
    // A padded block must fit a binding.
    if (binding >= 64 * kKiB && draw() % 2 == 0) options.edges = EdgePolicy::padded;
    expect_exact(problem, small_device(binding), options);
    if (HasFailure()) return;
  }
}

TEST(Limits, RandomProblemsKeepToACapOnScratch) {
  std::mt19937_64 draw(7);
  for (int i = 0; i < 40; ++i) {
    const auto problem = random_problem(draw);
    PlanOptions options;
    options.kernel = kKernels[i % std::size(kKernels)];
    options.split_k = kSplits[draw() % std::size(kSplits)];
    options.edges = draw() % 2 == 0 ? EdgePolicy::padded : EdgePolicy::checked;
    options.scratch_cap = 64 * kKiB;
    expect_exact(problem, small_device(draw() % 2 == 0 ? 64 * kKiB : 1024 * kKiB), options);
    if (HasFailure()) return;
  }
}

TEST(Limits, ACapLeavesOutCopiesThatAreOnlyFaster) {
  Problem problem;
  problem.m = 4096;
  problem.n = 1001;
  problem.k = 4096;
  const PlanOptions options{.kernel = "register-tile_BM128_BN128_BK16_TM8_TN8_PAD4_LX4", .split_k = 1};
  const auto device = *find_profile("h200");
  // 1004 and 1001: the first block of columns is aligned where the last one is not, and none is.
  for (const std::uint64_t ld : {1004, 1001}) {
    problem.b.ld = ld;
    EXPECT_EQ(make_plan(problem, device, options)->steps.size(), 2U);
    auto capped = options;
    capped.scratch_cap = 1700000;
    const auto plan = make_plan(problem, device, capped);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->steps.size(), 1U);
  }
}

TEST(Limits, ACapHoldsForThePieceThatIsAlignedWorst) {
  Problem problem;
  problem.m = 512;
  problem.n = 1001;
  problem.k = 4096;
  problem.a.type = problem.b.type = DataType::f16;
  problem.b.ld = 1008;
  const auto plan = make_plan(problem, *find_profile("h200"),
                              {.kernel = "matrix-tile", .split_k = 1, .scratch_cap = 900000});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_GT(plan->steps.size(), 2U);
}

TEST(Limits, ACapThatNoBlockFitsIsAnError) {
  PlanOptions options;
  options.kernel = "vec4";
  options.edges = EdgePolicy::padded;
  options.scratch_cap = 64;
  const auto plan = make_plan(testing::problem(100, 100, 100), DeviceProfile{}, options);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::unsupported);
  EXPECT_EQ(plan.error().argument, "scratch_cap");
}

TEST(Limits, ASplitThatTheCallerWantsIsKeptAndOneOfThePlannerGivenUp) {
  auto device = *find_profile("h200");
  const auto problem = testing::problem(64, 64, 65536);
  ASSERT_GT(make_plan(problem, device)->steps.size(), 1U) << "the planner cuts k here";
  PlanOptions options;
  options.scratch_cap = 1024;
  const auto uncut = make_plan(problem, device, options);
  ASSERT_TRUE(uncut) << uncut.error().message;
  EXPECT_EQ(uncut->steps.size(), 1U);
  options.split_k = 2;  // the caller's own: then C is computed in smaller parts
  options.scratch_cap = 16384;
  const auto cut = make_plan(problem, device, options);
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_GT(cut->steps.size(), 2U);
}

TEST(Limits, WhatTheOuterAxisOfStorageAllowsIsNotCutAlongK) {
  const auto device = small_device(64 * kKiB);
  for (const auto b_order : testing::kOrders) {
    auto problem = testing::problem(300, 300, 100);
    problem.b.order = b_order;
    const auto plan = make_plan(problem, device, {"coalesced_WX8_WY8"}).value();
    // 120 kB of A and of B, 360 kB of C.
    const bool whole_k = std::ranges::all_of(
        plan.steps, [](const Step& step) { return step.dispatches.front().uniforms.at(2) == 100; });
    EXPECT_EQ(whole_k, b_order == Order::col_major);
    for (const auto& step : plan.steps) EXPECT_EQ(step.kind, StepKind::multiply);
  }
}

TEST(Limits, ABufferAboveTheDevicesIsAnError) {
  auto device = *find_profile("minimum");
  const auto plan = make_plan(testing::problem(10000, 10000, 10), device);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::unsupported);
  EXPECT_EQ(plan.error().argument, "maxBufferSize");
}

/// Products of elements that the multiply steps of a plan do; each of them within 32-bit indices.
double covered(const Plan& plan) {
  double products = 0;
  for (const auto& step : plan.steps) {
    if (step.kind != StepKind::multiply) continue;
    const auto& words = step.dispatches.front().uniforms;
    const double m = words.at(0);
    const double n = words.at(1);
    const double ldc = words.at(5);
    for (const auto& binding : step.bindings) {
      EXPECT_LE(bound_bytes(plan, binding), std::uint64_t{1} << 34U);
    }
    EXPECT_LT((m - 1) * ldc + n, 0x1p32) << "an index of C wraps around";
    products += m * n * words.at(2);
  }
  return products;
}

TEST(Limits, No11IndicesDoNotWrap) {
  auto device = *find_profile("h200");
  device.limits.max_buffer_size = std::uint64_t{1} << 40U;
  for (const std::uint64_t m : {104U, 4160U}) {
    for (const std::uint64_t binding :
         {std::uint64_t{1} << 27U, (std::uint64_t{1} << 32U) - 4, std::uint64_t{1} << 40U}) {
      device.limits.max_storage_buffer_binding_size = binding;
      if (m > 104 && binding <= std::uint64_t{1} << 27U) continue;  // thousands of parts
      const auto plan = make_plan(testing::problem(m, 10342400, 64), device);
      ASSERT_TRUE(plan) << plan.error().message;
      EXPECT_EQ(covered(*plan), static_cast<double>(m) * 10342400 * 64);
      for (const auto& step : plan->steps) {
        for (const auto& each : step.bindings) EXPECT_LE(bound_bytes(*plan, each), binding);
      }
    }
  }
  // An offset alone.
  auto problem = testing::problem(100, 100, 100);
  problem.b.offset = (std::uint64_t{1} << 33U) + 5;
  device.limits.max_storage_buffer_binding_size = (std::uint64_t{1} << 32U) - 4;
  const auto plan = make_plan(problem, device);
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->steps.size(), 1U);
  EXPECT_EQ(plan->steps[0].bindings[1].offset, std::uint64_t{1} << 35U);
}

// fault 9
TEST(Limits, No09FoldsAnyGrid) {
  PlanOptions options;
  options.kernel = "coalesced_WX8_WY8";
  auto device = *find_profile("minimum");
  device.limits.max_compute_workgroups_per_dimension = 7;
  expect_exact(testing::problem(65536 / 16, 1, 3), device, options);
  options.kernel.clear();
  expect_exact(testing::problem(65536, 1, 3), *find_profile("minimum"), options);
  expect_exact(testing::problem(1, 65537, 2), *find_profile("minimum"), options);
}

// fault 25
TEST(Limits, No25NoDispatchExceedsItsBudget) {
  auto problem = testing::problem(70, 50, 64);
  problem.batch.rank = 1;
  problem.batch.extents = {6};
  problem.batch.a = {4480};
  problem.batch.b = {0};
  problem.batch.c = {3500};
  for (const double budget : {1.0, 1e4, 1e5, 1e6}) {
    PlanOptions options;
    options.kernel = "vec4_BM16_BN16_BK16_TM2_TN2";
    options.split_k = 2;  // copies, multiplies, sums
    options.max_dispatch_flops = budget;
    expect_exact(problem, *find_profile("minimum"), options);
  }
}

}  // namespace
}  // namespace wgemm
