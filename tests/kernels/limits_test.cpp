// Products past the limits on a device: under forced limits, and streamed through a capped memory, they have
// the bits of the same product done at once. Operands are small integers, so that no order of sums shows.
#include <gmock/gmock.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "tests/kernels/adapter_test.hpp"
#include "verify/fuzz/forced_limits.hpp"
#include "verify/guards.hpp"
#include "verify/half.hpp"

namespace wgemm::tests {
namespace {

constexpr std::uint64_t kKiB = 1024;

Problem sized(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  return problem;
}

/// Small integers, of the type.
std::vector<std::byte> integers(std::uint64_t bytes, DataType type, std::uint64_t seed) {
  std::vector<std::byte> result(bytes);
  const auto step = size_of(type);
  for (std::uint64_t i = 0; i < bytes / step; ++i) {
    const auto value = static_cast<float>(static_cast<int>((i * 7 + i / 11 + seed * 3) % 5) - 2);
    if (type == DataType::f32) {
      std::memcpy(result.data() + i * step, &value, step);
    } else {
      const verify::Half half(value);
      std::memcpy(result.data() + i * step, &half, step);
    }
  }
  return result;
}

/// The operands of a problem, and C before it.
struct Data {
  explicit Data(const Problem& problem)
      : a(integers(buffer_bytes(problem, Matrix::a), problem.a.type, 1)),
        b(integers(buffer_bytes(problem, Matrix::b), problem.b.type, 2)),
        c(integers(buffer_bytes(problem, Matrix::c), problem.c.type, 3)),
        bias(integers(size_of(problem.epilogue.bias_type, bias_length(problem)), problem.epilogue.bias_type,
                      4)),
        residual(integers(buffer_bytes(problem, Matrix::residual), problem.epilogue.residual.type, 5)) {}

  [[nodiscard]] Context::HostOperands operands(std::vector<std::byte>& result) const {
    return {a, b, result, bias, residual, {}, {}};
  }

  std::vector<std::byte> a, b, c, bias, residual;
};

class LimitsTest : public AdapterTest {};

/// C of the plan for a device of those limits, run on this one; empty after a failure.
std::vector<std::byte> run_under(const DeviceProfile& profile, const Problem& problem,
                                 const PlanOptions& options, const Data& data) {
  auto& context = *Bench::get().context(Setting::standard);
  const auto plan = make_plan(problem, profile, options);
  if (!plan) {
    ADD_FAILURE() << describe(problem) << ": " << plan.error().message;
    return {};
  }
  auto prepared = context.prepare(*plan);
  if (!prepared) {
    ADD_FAILURE() << prepared.error().message;
    return {};
  }
  std::vector<Buffer> buffers;
  for (const auto* bytes : {&data.a, &data.b, &data.c, &data.bias, &data.residual}) {
    auto buffer = bytes->empty() ? Result<Buffer>() : context.create_buffer(bytes->size());
    EXPECT_TRUE(buffer && (bytes->empty() || context.upload(*buffer, 0, *bytes)));
    if (!buffer) return {};
    buffers.push_back(std::move(*buffer));
  }
  Context::Operands operands;
  operands.a = &buffers[0];
  operands.b = &buffers[1];
  operands.c = &buffers[2];
  operands.bias = &buffers[3];
  operands.residual = &buffers[4];
  auto done = context.run(*prepared, operands);
  std::vector<std::byte> result(data.c.size());
  if (done) done = context.download(buffers[2], 0, result);
  EXPECT_TRUE(done) << done.error().message;
  return done ? result : std::vector<std::byte>{};
}

/// What is interesting of shapes, layouts and epilogues at the limits.
std::vector<Problem> problems() {
  std::vector<Problem> all;
  all.push_back(sized(150, 140, 130));  // row-major B: cut along k, summed in C
  all.back().beta = -1;
  all.back().epilogue.bias = Bias::per_column;
  all.back().epilogue.activation = Activation::relu;
  all.push_back(sized(150, 133, 97));  // cut along the outer axes alone
  all.back().b.order = Order::col_major;
  all.back().epilogue.add_residual = true;
  all.back().epilogue.bias = Bias::per_row;
  all.push_back(sized(40, 41, 300));
  all.back().trans_a = Transpose::transpose;
  all.back().a.offset = 77;
  all.back().c.order = Order::col_major;
  all.back().batch.rank = 2;
  all.back().batch.extents = {3, 2};
  all.back().batch.a = {24000, 12000};
  all.back().batch.b = {0, 12300};
  all.back().batch.c = {3280, 1640};
  all.push_back(sized(3, 700, 500));  // few rows
  all.back().alpha = 2;
  all.push_back(sized(600, 5, 410));  // few columns
  all.back().epilogue.bias = Bias::per_row;
  all.push_back(sized(1, 1, 50000));  // a line longer than a binding
  if (Bench::get().profile(Setting::standard).shader_f16) {
    auto half = sized(90, 120, 400);
    half.a.type = half.b.type = half.c.type = DataType::f16;
    half.beta = 1;
    half.epilogue.bias = Bias::per_column;
    all.push_back(half);  // sums of parts of k do not fit C
  }
  return all;
}

// fault 8
TEST_F(LimitsTest, No08ForcedLimitsGiveTheSameBits) {
  auto& context = *Bench::get().context(Setting::standard);
  for (const auto& problem : problems()) {
    const Data data(problem);
    auto expected = data.c;
    const auto done = context.multiply(problem, data.operands(expected), {.kernel = "coalesced"});
    ASSERT_TRUE(done) << done.error().message;
    // Software drivers compile for seconds: the larger texts meet the shapes of which A, B and C are all cut.
    std::vector<const char*> kernels{"", "coalesced"};
    if (problem.m == 150) kernels = {"register-tile_BM16_BN16_BK4_TM4_TN4", "vec4_BM8_BN16_BK8_TM2_TN4"};
    for (const auto* kernel : kernels) {
      auto profile = Bench::get().profile(Setting::standard);
      profile.limits.max_storage_buffer_binding_size = 32 * kKiB;
      PlanOptions options;
      options.kernel = kernel;
      options.split_k = 2;
      EXPECT_EQ(run_under(profile, problem, options, data), expected)
          << describe(problem) << " kernel '" << kernel << "'";
      if (HasFailure()) return;
    }
  }
}

/// Quantised weights whose scales or zero points alone are larger than 4 KiB.
std::vector<Problem> quantised_problems() {
  std::vector<Problem> all;
  const bool half = Bench::get().profile(Setting::standard).shader_f16;
  const auto add = [&](const Problem& sizes, DataType a, DataType code, Quantization quantization) {
    all.push_back(sizes);
    all.back().a.type = half ? a : DataType::f32;
    all.back().b = {code, Order::col_major};
    all.back().quantization = quantization;
  };
  add(sized(20, 150, 150), DataType::f32, DataType::u4, {16, DataType::f32, true});
  add(sized(21, 37, 2100), DataType::f16, DataType::i4, {16, DataType::f16, true});
  all.back().c.order = Order::col_major;  // A and B change places
  all.back().b = {DataType::i4, Order::row_major, 2128, 48};
  all.back().trans_b = Transpose::transpose;
  add(sized(3, 1, 40000), DataType::f32, DataType::u8, {16, DataType::f32, true});  // one line of each
  add(sized(2, 300, 130), DataType::f32, DataType::i8, {16, DataType::f32, false});
  all.back().batch.rank = 1;
  all.back().batch.extents = {3};
  all.back().batch.a = {260};
  all.back().batch.c = {600};
  return all;
}

// fault 8
TEST_F(LimitsTest, No08ScalesAndZeroPointsAboveABindingAreBoundInRanges) {
  auto& context = *Bench::get().context(Setting::standard);
  auto profile = Bench::get().profile(Setting::standard);
  profile.limits.max_storage_buffer_binding_size = 4 * kKiB;
  for (const auto& problem : quantised_problems()) {
    ASSERT_GT(std::max(scales_bytes(problem), zeros_bytes(problem)), 4 * kKiB);
    for (const auto& options : {PlanOptions{}, PlanOptions{"coalesced_WX8_WY8", EdgePolicy::padded, 2}}) {
      SCOPED_TRACE(describe(problem) + " '" + options.kernel + "'");
      auto plan = make_plan(problem, profile, options);
      ASSERT_TRUE(plan) << plan.error().message;
      EXPECT_EQ(verify::fuzz::passed_limit(*plan, profile.limits), "");
      verify::extend_over_guards(*plan, context.profile().limits);
      auto prepared = context.prepare(*plan);
      ASSERT_TRUE(prepared) << prepared.error().message;
      const auto verdict = verify::verify(context, *prepared);
      ASSERT_TRUE(verdict) << verdict.error().message;
      EXPECT_TRUE(verdict->ok) << verdict->reason;
      EXPECT_TRUE(verdict->exact);
      EXPECT_EQ(verdict->compared, problem.m * problem.n * problem.batch.count());
      if (HasFailure()) return;
    }
  }
}

TEST_F(LimitsTest, MatricesLargerThanTheMemoryCapAreStreamed) {
  auto& context = *Bench::get().context(Setting::standard);
  ContextOptions options = context.options();
  options.memory_cap = 100 * kKiB;
  auto capped = Context::create(options);
  ASSERT_TRUE(capped) << capped.error().message;
  for (const auto& problem : problems()) {
    const Data data(problem);
    auto expected = data.c;
    auto streamed = data.c;
    ASSERT_TRUE(context.multiply(problem, data.operands(expected), {.kernel = "coalesced"}));
    const auto done = capped->multiply(problem, data.operands(streamed), {.kernel = "coalesced"});
    ASSERT_TRUE(done) << describe(problem) << ": " << done.error().message;
    EXPECT_EQ(streamed, expected) << describe(problem);
  }
}

// fault 26
TEST_F(LimitsTest, No26SkinnyAndStreamedProductsHaveTheSameBitsOnEveryRun) {
  auto options = Bench::get().context(Setting::standard)->options();
  for (const std::uint64_t cap : {std::uint64_t{0}, 64 * kKiB}) {
    options.memory_cap = cap;
    auto context = Context::create(options);
    ASSERT_TRUE(context) << context.error().message;
    const auto problem = sized(3, 40, 5000);
    std::vector<float> a(problem.m * problem.k), b(problem.k * problem.n), first(problem.m * problem.n);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = 1.0F / static_cast<float>(1 + i % 977);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 31) - 15.1F;
    auto again = first;
    for (int run = 0; run < 20; ++run) {
      auto& c = run == 0 ? first : again;
      const auto done = context->multiply(problem, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)),
                                          std::as_writable_bytes(std::span(c)), {.split_k = 2});
      ASSERT_TRUE(done) << done.error().message;
      if (run > 0) {
        ASSERT_EQ(std::memcmp(first.data(), again.data(), first.size() * 4), 0) << "run " << run;
      }
    }
  }
}

}  // namespace
}  // namespace wgemm::tests
