// Devices, memory and what goes wrong with them.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "fixture.hpp"
#include "native/context/context_impl.hpp"

namespace wgemm {
namespace {

class ContextTest : public OnBothLibraries {};
WGEMM_ON_BOTH_LIBRARIES(ContextTest);

TEST_P(ContextTest, BytesOfAnySizeComeBack) {
  Context& context = shared_context();
  for (const std::size_t size : {1U, 2U, 3U, 4U, 5U, 63U, 1001U, 4096U}) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<std::byte>(i * 37 + 1);
    }
    Result<Buffer> buffer = context.create_buffer(size);
    ASSERT_TRUE(buffer) << buffer.error().message;
    EXPECT_EQ(buffer->size(), (size + 3) / 4 * 4);
    ASSERT_TRUE(context.upload(*buffer, 0, bytes));
    std::vector<std::byte> back(size);
    ASSERT_TRUE(context.download(*buffer, 0, back));
    EXPECT_EQ(back, bytes) << size;
    std::vector<std::byte> whole(buffer->size(), std::byte{0xFF});
    ASSERT_TRUE(context.download(*buffer, 0, whole));
    EXPECT_TRUE(std::all_of(whole.begin() + static_cast<std::ptrdiff_t>(size), whole.end(),
                            [](std::byte value) { return value == std::byte{0}; }));
  }
}

TEST_P(ContextTest, PartsOfABufferAreReadAndWrittenInPlace) {
  Context& context = shared_context();
  Buffer buffer = buffer_with(context, ramp(16, 0, 1));
  const std::vector<float> part = {70, 80};
  ASSERT_TRUE(context.upload(buffer, 7 * sizeof(float), std::as_bytes(std::span(part))));
  std::vector<float> back(4);
  ASSERT_TRUE(context.download(buffer, 6 * sizeof(float), std::as_writable_bytes(std::span(back))));
  EXPECT_EQ(back, (std::vector<float>{6, 70, 80, 9}));
}

TEST_P(ContextTest, CopiesLargerThanAPieceAreWhole) {
  Context& context = shared_context();
  constexpr std::size_t kCount = (std::size_t{65} << 20) / sizeof(std::uint32_t) + 1;
  std::vector<std::uint32_t> words(kCount);
  std::iota(words.begin(), words.end(), 7U);
  Result<Buffer> buffer = context.create_buffer(kCount * sizeof(std::uint32_t));
  ASSERT_TRUE(buffer) << buffer.error().message;
  ASSERT_TRUE(context.upload(*buffer, 0, std::as_bytes(std::span(words))));
  std::vector<std::uint32_t> back(kCount);
  ASSERT_TRUE(context.download(*buffer, 0, std::as_writable_bytes(std::span(back))));
  EXPECT_TRUE(back == words);
}

TEST_P(ContextTest, CopiesOutOfRangeAreErrors) {
  Context& context = shared_context();
  Buffer buffer = buffer_with(context, ramp(4, 0, 1));
  std::vector<std::byte> bytes(16);
  EXPECT_EQ(context.upload(buffer, 4, bytes).error().argument, "bytes");
  EXPECT_EQ(context.download(buffer, 2, std::span(bytes).first(4)).error().argument, "offset");
  EXPECT_EQ(context.download(buffer, 20, std::span(bytes).first(4)).error().argument, "bytes");
  EXPECT_EQ(context.upload(Buffer(), 0, bytes).error().argument, "buffer");
}

TEST_P(ContextTest, BufferOverTheLimitIsUnsupported) {
  Context& context = shared_context();
  const Result<Buffer> buffer = context.create_buffer(context.profile().limits.max_buffer_size + 1);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code, ErrorCode::unsupported);
  EXPECT_EQ(buffer.error().argument, "max_buffer_size");
  EXPECT_TRUE(context.create_buffer(64)) << "the device stays usable";
}

TEST_P(ContextTest, MinimumLimitsAreWhatTheDeviceHas) {
  ContextOptions options = options_for(GetParam());
  options.minimum_limits = true;
  Context context = open(options);
  const Limits minimum;
  const Limits& limits = context.profile().limits;
  EXPECT_EQ(limits.max_storage_buffer_binding_size, minimum.max_storage_buffer_binding_size);
  EXPECT_EQ(limits.max_buffer_size, minimum.max_buffer_size);
  EXPECT_EQ(limits.max_compute_workgroup_storage_size, minimum.max_compute_workgroup_storage_size);
  EXPECT_EQ(limits.max_compute_invocations_per_workgroup, minimum.max_compute_invocations_per_workgroup);
  EXPECT_EQ(limits.max_storage_buffers_per_shader_stage, minimum.max_storage_buffers_per_shader_stage);
  EXPECT_EQ(limits.min_uniform_buffer_offset_alignment, minimum.min_uniform_buffer_offset_alignment);
  EXPECT_FALSE(context.profile().shader_f16);
  EXPECT_FALSE(context.profile().subgroups);
  EXPECT_EQ(context.profile().timestamps, shared_context().profile().timestamps);
  EXPECT_EQ(context.profile().subgroup_size, 0U);

  Plan large = add_plan(64);
  large.shaders[0].wgsl.replace(large.shaders[0].wgsl.find("workgroup_size(64)"), 18, "workgroup_size(257)");
  const Result<PreparedPlan> prepared = context.prepare(large);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::compilation);
}

TEST_P(ContextTest, LostDeviceIsATypedError) {
  Context context = open(options_for(GetParam()));
  Result<PreparedPlan> prepared = context.prepare(add_plan(64));
  ASSERT_TRUE(prepared);
  const Buffer a = buffer_with(context, ramp(64, 0, 1));
  const Buffer b = buffer_with(context, ramp(64, 0, 1));
  const Buffer c = buffer_with(context, ramp(64, 0, 1));
  ASSERT_TRUE(context.run(*prepared, a, b, c));
  lose(context);
  const Result<void> ran = context.run(*prepared, a, b, c);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::device_lost) << ran.error().message;
  std::vector<std::byte> bytes(64);
  const Result<void> copied = context.download(c, 0, bytes);
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().code, ErrorCode::device_lost) << copied.error().message;
  const Result<Buffer> buffer = context.create_buffer(64);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code, ErrorCode::device_lost) << buffer.error().message;
  const Result<PreparedPlan> again = context.prepare(add_plan(128));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::device_lost) << again.error().message;
  EXPECT_TRUE(Context::create(options_for(GetParam()))) << "a new context works";
}

TEST_P(ContextTest, BuffersMoveAndOutliveNothing) {
  Context& context = shared_context();
  const std::uint64_t before = context.live().buffers;
  {
    Buffer first = buffer_with(context, ramp(4, 0, 1));
    Buffer second = std::move(first);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move,clang-analyzer-cplusplus.Move): tested here
    EXPECT_EQ(second.size(), 16U);
    EXPECT_EQ(context.live().buffers, before + 1);
  }
  EXPECT_EQ(context.live().buffers, before);
}

TEST_P(ContextTest, ContextsMove) {
  Context first = open(options_for(GetParam()));
  Buffer buffer = buffer_with(first, ramp(4, 1, 1));
  Context second = std::move(first);
  EXPECT_EQ(contents(second, buffer, 4), ramp(4, 1, 1));
  second = open(options_for(GetParam()));
  EXPECT_EQ(second.profile().library, GetParam());
  buffer = Buffer();
}

TEST_P(ContextTest, TwoContextsLiveSideBySide) {
  Context one = open(options_for(GetParam()));
  Context other = open(options_for(GetParam() == "dawn" ? "wgpu" : "dawn"));
  const Buffer in_one = buffer_with(one, ramp(4, 1, 1));
  const Buffer in_other = buffer_with(other, ramp(4, 5, 1));
  EXPECT_EQ(contents(one, in_one, 4), ramp(4, 1, 1));
  EXPECT_EQ(contents(other, in_other, 4), ramp(4, 5, 1));
}

TEST_P(ContextTest, BufferOfAnotherContextIsRefused) {
  Context other = open(options_for(GetParam()));
  Context& context = shared_context();
  Result<PreparedPlan> prepared = context.prepare(add_plan(4));
  ASSERT_TRUE(prepared);
  const Buffer foreign = buffer_with(other, ramp(4, 0, 1));
  const Buffer b = buffer_with(context, ramp(4, 0, 1));
  const Buffer c = buffer_with(context, ramp(4, 0, 1));
  const Result<void> ran = context.run(*prepared, foreign, b, c);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().argument, "a");
}

TEST_P(ContextTest, CopiesOfAnotherContextsBufferAreRefused) {
  Context& context = shared_context();
  Context other = open(options_for(GetParam()));
  const Result<Buffer> ours = context.create_buffer(256);
  const Result<Buffer> theirs = other.create_buffer(256);
  ASSERT_TRUE(ours && theirs);
  std::vector<std::byte> bytes(256);
  for (const Result<void>& refused :
       {context.upload(*theirs, 0, bytes), context.download(*theirs, 0, bytes)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(refused.error().argument, "buffer");
  }
  Problem problem;
  problem.m = problem.n = problem.k = 4;
  EXPECT_EQ(context.prepare_operand(problem, Matrix::b, *theirs).error().argument, "b");
  EXPECT_EQ(context.prepare_operand(problem, Matrix::b, Buffer()).error().argument, "b");
  // The pools of both still hand out memory of their own devices.
  EXPECT_TRUE(context.download(*ours, 0, bytes));
  EXPECT_TRUE(other.download(*theirs, 0, bytes));
}

TEST_P(ContextTest, TimeoutsOfAnyLengthAreTakenAtTheirWord) {
  ContextOptions options = options_for(GetParam());
  options.timeout = std::chrono::milliseconds::max();
  Context context = open(options);
  const Result<Buffer> buffer = context.create_buffer(16);
  ASSERT_TRUE(buffer);
  std::vector<std::byte> bytes(16);
  EXPECT_TRUE(context.download(*buffer, 0, bytes));
  CallOptions call;
  call.timeout = std::chrono::milliseconds::max();
  const Result<void> done = context.download(*buffer, 0, bytes, call);
  EXPECT_TRUE(done) << done.error().message;
  Task<void> task = context.multiply_async(Problem(), {}, {}, call);
  EXPECT_TRUE(task.wait_for(std::chrono::milliseconds::max()));
}

TEST_P(ContextTest, ResultBeyondTheHostsMemoryIsATypedError) {
  const Result<std::vector<float>> product = shared_context().matmul(1U << 31U, 1U << 31U, 0, {}, {});
  ASSERT_FALSE(product);
  EXPECT_TRUE(product.error().code == ErrorCode::out_of_memory ||
              product.error().code == ErrorCode::invalid_argument)
      << product.error().message;
}

TEST_P(ContextTest, OperandThatTheProblemHasNotIsNamed) {
  const std::vector<float> numbers(4, 1);
  std::vector<float> c(4);
  Problem problem;
  problem.m = problem.n = problem.k = 2;
  HostOperands operands;
  operands.a = operands.b = operands.bias = std::as_bytes(std::span(numbers));
  operands.c = std::as_writable_bytes(std::span(c));
  const Result<void> done = shared_context().multiply(problem, operands);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().argument, "bias");
}

TEST_P(ContextTest, EmptyPlanIsHarmless) {
  PreparedPlan empty;
  EXPECT_TRUE(empty.plan().steps.empty());
  EXPECT_EQ(empty.start_cost().shader_ms, 0);
  empty.forget_operands();
  EXPECT_EQ(shared_context().run(empty, Operands()).error().argument, "prepared");
}

TEST_P(ContextTest, MultiplyWritesOnlyElements) {
  Context& context = shared_context();
  Problem problem;
  problem.m = 3;
  problem.n = 2;
  problem.k = 2;
  problem.c.ld = 5;
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};
  const std::vector<float> b = {1, 10, 100, 1000};
  std::vector<float> c(15, -7);
  const Result<void> done =
      context.multiply(problem, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)),
                       std::as_writable_bytes(std::span(c)));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(c, (std::vector<float>{201, 2010, -7, -7, -7, 403, 4030, -7, -7, -7, 605, 6050, -7, -7, -7}));
}

TEST_P(ContextTest, MatmulChecksLengths) {
  Context& context = shared_context();
  const std::vector<float> a = {1, 2, 3, 4};
  const Result<std::vector<float>> product = context.matmul(2, 2, 2, a, a);
  ASSERT_TRUE(product) << product.error().message;
  EXPECT_EQ(*product, (std::vector<float>{7, 10, 15, 22}));
  EXPECT_EQ(context.matmul(2, 2, 3, a, a).error().argument, "a");
  EXPECT_EQ(context.matmul(0, 2, 2, a, a).error().code, ErrorCode::invalid_argument);
}

TEST_P(ContextTest, RepeatedProductsKeepTheNumberOfBuffersFlat) {
  Context& context = shared_context();
  const std::vector<float> a = {1, 2, 3, 4};
  ASSERT_TRUE(context.matmul(2, 2, 2, a, a));
  const std::uint64_t before = context.live().buffers;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(context.matmul(2, 2, 2, a, a));
  }
  EXPECT_EQ(context.live().buffers, before);
}

}  // namespace
}  // namespace wgemm
