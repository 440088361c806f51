// Contexts used from several threads, tasks, deadlines and cancellation.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "core/probes/probes.hpp"
#include "fixture.hpp"
#include "native/context/context_impl.hpp"

namespace wgemm {
namespace {

class ThreadsTest : public OnBothLibraries {
 protected:
  static Problem problem(std::uint64_t size) {
    Problem made;
    made.m = size;
    made.n = size;
    made.k = size;
    return made;
  }
  /// Takes a software adapter about a tenth of a second.
  static Plan slow_plan() { return fma_probe({64, 1024, 4, 256}).value(); }
};
WGEMM_ON_BOTH_LIBRARIES(ThreadsTest);

constexpr std::size_t kSize = 12;

std::vector<float> identity(float scale) {
  std::vector<float> values(kSize * kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    values[i * kSize + i] = scale;
  }
  return values;
}

TEST_P(ThreadsTest, ProductsOfSeveralThreadsAreRight) {
  Context context = open(options_for(GetParam()));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const auto scale = static_cast<float>(20 * t + i + 1);
        const std::vector<float> a = identity(scale);
        const std::vector<float> b = ramp(kSize * kSize, 1, 1);
        const Result<std::vector<float>> c = context.matmul(kSize, kSize, kSize, a, b);
        wrong += !c || *c != ramp(kSize * kSize, scale, scale);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(ThreadsTest, OnePlanRunsOnSeveralThreadsWithItsOwnScratchEach) {
  Context context = open(options_for(GetParam()));
  Result<PreparedPlan> prepared = context.prepare(two_step_plan(500));
  ASSERT_TRUE(prepared);
  // As if each run took seconds: then its steps are submitted one by one, and the runs interleave.
  ASSERT_TRUE(context.run(*prepared, buffer_with(context, ramp(500, 0, 0)),
                          buffer_with(context, ramp(500, 0, 0)), buffer_with(context, ramp(500, 0, 0))));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      const Buffer a = buffer_with(context, ramp(500, static_cast<float>(t), 1));
      const Buffer b = buffer_with(context, ramp(500, 3, 2));
      for (int i = 0; i < 10; ++i) {
        native::Access::data(*prepared).estimate_ms = 5000;
        const Buffer c = buffer_with(context, ramp(500, 0, 0));
        PreparedPlan mine = *prepared;
        wrong += !context.run(mine, a, b, c);
        wrong += contents(context, c, 500) != ramp(500, static_cast<float>(t) + 6, 5);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(ThreadsTest, ErrorsGoToTheThreadThatMadeThem) {
  Context context = open(options_for(GetParam()));
  std::atomic<int> wrong{0};
  std::thread failing([&] {
    for (int i = 0; i < 20; ++i) {
      Plan plan = add_plan(64);
      plan.shaders[0].wgsl += "fn broken" + std::to_string(i) + "() { nothing; }";
      const Result<PreparedPlan> prepared = context.prepare(plan);
      wrong += prepared || prepared.error().code != ErrorCode::compilation;
    }
  });
  for (int i = 0; i < 200; ++i) {
    wrong += !context.create_buffer(64);
  }
  failing.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(ThreadsTest, SameTextIsCompiledOnceForAllThreads) {
  Context context = open(options_for(GetParam()));
  const std::uint64_t before = context.live().pipelines;
  std::vector<PreparedPlan> prepared(4);
  std::vector<std::thread> threads;
  threads.reserve(prepared.size());
  for (PreparedPlan& plan : prepared) {
    threads.emplace_back([&] { plan = context.prepare(add_plan(64)).value_or(PreparedPlan()); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const PreparedPlan& plan : prepared) {
    EXPECT_TRUE(plan);
  }
  EXPECT_EQ(context.live().pipelines, before + 1);
}

TEST_P(ThreadsTest, TasksTellTheirEndAndKeepTheirBuffers) {
  Context context = open(options_for(GetParam()));
  Result<PreparedPlan> prepared = context.prepare(add_plan(64));
  ASSERT_TRUE(prepared);
  const Buffer c = buffer_with(context, ramp(64, 0, 0));
  std::atomic<int> told{0};
  Task<void> task;
  {
    const Buffer a = buffer_with(context, ramp(64, 1, 1));
    const Buffer b = buffer_with(context, ramp(64, 2, 1));
    task = context.run_async(*prepared, {&a, &b, &c}, {}, [&](const Result<void>& result) {
      EXPECT_TRUE(result);
      ++told;
    });
  }
  const Result<void> ran = task.get();
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(told, 1);
  EXPECT_EQ(contents(context, c, 64), ramp(64, 3, 2));

  const std::vector<float> a = identity(2);
  std::vector<float> product(kSize * kSize);
  Task<void> multiply = context.multiply_async(problem(kSize), {std::as_bytes(std::span(a)),
                                                                std::as_bytes(std::span(a)),
                                                                std::as_writable_bytes(std::span(product)),
                                                                {},
                                                                {},
                                                                {},
                                                                {}});
  const Result<void> done = multiply.get();
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(product, identity(4));
}

TEST_P(ThreadsTest, ListsArePreparedAheadWithProgress) {
  Context context = open(options_for(GetParam()));
  std::vector<Problem> problems = {problem(3), problem(5), problem(64)};
  std::vector<std::size_t> progress;
  auto task = context.prepare_async(problems, {}, [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 3U);
    progress.push_back(done);
  });
  const Result<std::vector<PreparedPlan>> prepared = task.get();
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_EQ(progress, (std::vector<std::size_t>{1, 2, 3}));
  ASSERT_EQ(prepared->size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*prepared)[i].plan().problem.m, problems[i].m);
  }
  const std::uint64_t pipelines = context.live().pipelines;
  const std::vector<float> a = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  ASSERT_TRUE(context.matmul(3, 3, 3, a, a));
  EXPECT_EQ(context.live().pipelines, pipelines) << "a prepared problem compiles nothing";
  EXPECT_TRUE(context.prepare_async(std::vector<Plan>()).get());
}

TEST_P(ThreadsTest, ListsEndByTheCallersTokenAndTime) {
  Context context = open(options_for(GetParam()));
  std::stop_source stop;
  stop.request_stop();
  CallOptions stopped;
  stopped.cancel = stop.get_token();
  CallOptions late;
  late.timeout = std::chrono::milliseconds(0);
  for (const auto& [call, code] :
       {std::pair(stopped, ErrorCode::cancelled), std::pair(late, ErrorCode::timeout)}) {
    const auto of_problems = context.prepare_async({problem(3), problem(3)}, {}, {}, {}, call).get();
    ASSERT_FALSE(of_problems);
    EXPECT_EQ(of_problems.error().code, code) << of_problems.error().message;
    EXPECT_NE(of_problems.error().message.find(describe(problem(3))), std::string::npos)
        << of_problems.error().message;
    const auto of_plans = context.prepare_async({add_plan(64), add_plan(32)}, {}, {}, call).get();
    ASSERT_FALSE(of_plans);
    EXPECT_EQ(of_plans.error().code, code) << of_plans.error().message;
    const std::vector<float> a(4, 1);
    EXPECT_EQ(context.matmul(2, 2, 2, a, a, call).error().code, code);
  }
  late.timeout = std::chrono::minutes(5);
  EXPECT_TRUE(context.prepare_async({problem(3), problem(5)}, {}, {}, {}, late).get());
}

TEST_P(ThreadsTest, ErrorsOfStreamedProductsNameThem) {
  ContextOptions options = options_for(GetParam());
  options.memory_cap = 20000;
  Context context = open(options);
  const Problem streamed = problem(60);
  const std::vector<float> a(3600, 1);
  std::vector<float> c(3600);
  CallOptions late;
  late.timeout = std::chrono::milliseconds(0);
  const HostOperands operands{std::as_bytes(std::span(a)),
                              std::as_bytes(std::span(a)),
                              std::as_writable_bytes(std::span(c)),
                              {},
                              {},
                              {},
                              {}};
  const Result<void> done = context.multiply(streamed, operands, {}, late);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::timeout);
  EXPECT_NE(done.error().message.find(describe(streamed)), std::string::npos) << done.error().message;
  const Result<void> queued = context.multiply_async(streamed, operands, {}, late).get();
  ASSERT_FALSE(queued);
  EXPECT_NE(queued.error().message.find(describe(streamed)), std::string::npos) << queued.error().message;
}

TEST_P(ThreadsTest, OneWrongPlanOfAListIsTheListsError) {
  Context context = open(options_for(GetParam()));
  Plan broken = add_plan(64);
  broken.shaders[0].wgsl += "fn broken() { nothing; }";
  auto task = context.prepare_async(std::vector<Plan>{add_plan(64), broken, add_plan(32)});
  const Result<std::vector<PreparedPlan>> prepared = task.get();
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::compilation);
  EXPECT_TRUE(context.prepare(add_plan(64)));
}

TEST_P(ThreadsTest, CancelledCallsEndAndTheContextGoesOn) {
  Context context = open(options_for(GetParam()));
  Result<PreparedPlan> prepared = context.prepare(slow_plan());
  ASSERT_TRUE(prepared);
  Result<Buffer> sums = context.create_buffer(prepared->plan().buffers[0].bytes);
  ASSERT_TRUE(sums);
  CallOptions call;
  std::stop_source stop;
  call.cancel = stop.get_token();
  stop.request_stop();
  const Context::Operands operands{nullptr, nullptr, &*sums};
  const Result<void> ran = context.run(*prepared, operands, call);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::cancelled) << ran.error().message;
  EXPECT_EQ(context.prepare(add_plan(8), call).error().code, ErrorCode::cancelled);
  std::vector<std::byte> bytes(16);
  EXPECT_EQ(context.download(*sums, 0, bytes, call).error().code, ErrorCode::cancelled);

  // While it waits: the first task is slow, the second has not begun.
  Task<void> first = context.run_async(*prepared, operands);
  Task<void> second = context.run_async(*prepared, operands);
  second.cancel();
  EXPECT_EQ(second.get().error().code, ErrorCode::cancelled);
  EXPECT_TRUE(first.get());
  Task<void> third = context.run_async(*prepared, operands);
  third.cancel();
  const Result<void> cancelled = third.get();
  EXPECT_TRUE(cancelled || cancelled.error().code == ErrorCode::cancelled);
  EXPECT_TRUE(context.run(*prepared, operands));
}

TEST_P(ThreadsTest, CallsHaveTimesOfTheirOwn) {
  Context context = open(options_for(GetParam()));
  Result<PreparedPlan> prepared = context.prepare(slow_plan());
  ASSERT_TRUE(prepared);
  Result<Buffer> sums = context.create_buffer(prepared->plan().buffers[0].bytes);
  ASSERT_TRUE(sums);
  CallOptions call;
  call.timeout = std::chrono::milliseconds(0);
  const Result<void> ran = context.run(*prepared, {nullptr, nullptr, &*sums}, call);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::timeout) << ran.error().message;
  EXPECT_NE(ran.error().message.find(prepared->plan().kernel), std::string::npos) << ran.error().message;
  EXPECT_TRUE(context.run(*prepared, {nullptr, nullptr, &*sums}));
}

TEST_P(ThreadsTest, ContextsEndWithTasksOnTheirWay) {
  std::vector<Task<void>> tasks;
  Task<std::vector<PreparedPlan>> list;
  {
    Context context = open(options_for(GetParam()));
    Result<PreparedPlan> prepared = context.prepare(slow_plan());
    ASSERT_TRUE(prepared);
    Result<Buffer> sums = context.create_buffer(prepared->plan().buffers[0].bytes);
    ASSERT_TRUE(sums);
    for (int i = 0; i < 20; ++i) {
      tasks.push_back(context.run_async(*prepared, {nullptr, nullptr, &*sums}));
    }
    list = context.prepare_async(std::vector<Problem>{problem(16), problem(17), problem(18)});
  }
  int cancelled = 0;
  for (Task<void>& task : tasks) {
    ASSERT_TRUE(task.ready());
    const Result<void> result = task.get();
    cancelled += !result && result.error().code == ErrorCode::cancelled;
  }
  EXPECT_GT(cancelled, 0);
  EXPECT_TRUE(list.ready());
}

}  // namespace
}  // namespace wgemm
