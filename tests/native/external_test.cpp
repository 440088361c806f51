// wgemm on a device of the application's: adopted, recorded into, left alone.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <utility>

#include "application.hpp"
#include "fixture.hpp"
#include "native/context/context_impl.hpp"

namespace wgemm {
namespace {

constexpr std::uint64_t kOffset = 256;
constexpr std::size_t kGuard = kOffset / sizeof(float);

class ExternalTest : public OnBothLibraries {
 protected:
  /// Row-major A (m x k) times B; the kernel reads B along k, so that the plan has scratch.
  static Plan product_plan(const Context& context, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    Problem problem;
    problem.m = m;
    problem.n = n;
    problem.k = k;
    PlanOptions options;
    options.kernel = "vec4_BM32_BN32_BK32_TM4_TN4_PAD1";
    auto plan = make_plan(problem, context.profile(), options);
    EXPECT_TRUE(plan) << plan.error().message;
    return std::move(plan).value();
  }

  static std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, std::size_t m,
                                    std::size_t n, std::size_t k) {
    std::vector<float> c(m * n);
    for (std::size_t row = 0; row < m; ++row) {
      for (std::size_t at = 0; at < k; ++at) {
        for (std::size_t col = 0; col < n; ++col) {
          c[row * n + col] += a[row * k + at] * b[at * n + col];
        }
      }
    }
    return c;
  }

  static std::vector<float> small_integers(std::size_t count, std::uint32_t seed) {
    std::vector<float> values(count);
    for (float& value : values) {
      seed = seed * 1664525U + 1013904223U;
      value = static_cast<float>(seed >> 29) - 3;
    }
    return values;
  }
};
WGEMM_ON_BOTH_LIBRARIES(ExternalTest);

Result<Context> adopt(const Application& app) { return webgpu::adopt(app.handles()); }

TEST_P(ExternalTest, RecordsIntoThePassOfTheApplicationWithByteOffsets) {
  const Application app(GetParam());
  Result<Context> context = adopt(app);
  ASSERT_TRUE(context) << context.error().message;
  constexpr std::size_t kM = 5;
  constexpr std::size_t kN = 12;
  constexpr std::size_t kK = 8;
  const std::vector<float> a = small_integers(kM * kK, 1);
  const std::vector<float> b = small_integers(kK * kN, 2);
  const std::vector<float> c(kM * kN + 2 * kGuard, -7);
  Result<PreparedPlan> prepared = context->prepare(product_plan(*context, kM, kN, kK));
  ASSERT_TRUE(prepared) << prepared.error().message;
  EXPECT_GT(prepared->plan().steps.size(), 1U) << "the test wants a plan with scratch";
  WGPUBuffer in_a = app.storage(a, kOffset, kOffset + a.size() * 4);
  WGPUBuffer in_b = app.storage(b, 2 * kOffset, 2 * kOffset + b.size() * 4);
  WGPUBuffer out = app.storage(c, 0, c.size() * 4);
  webgpu::Operands operands;
  operands.a = {in_a, kOffset, a.size() * 4};
  operands.b = {in_b, 2 * kOffset, b.size() * 4};
  operands.c = {out, kOffset, kM * kN * 4};

  WGPUCommandEncoder encoder = app.encoder();
  WGPUComputePassEncoder pass = app.gpu().CommandEncoderBeginComputePass(encoder, nullptr);
  const Result<void> recorded = webgpu::record(*context, *prepared, operands, pass);
  ASSERT_TRUE(recorded) << recorded.error().message;
  app.gpu().ComputePassEncoderEnd(pass);
  app.gpu().ComputePassEncoderRelease(pass);
  EXPECT_EQ(app.contents(out, c.size()), c) << "nothing happens before the application submits";
  app.submit(encoder);

  std::vector<float> expected = c;
  const std::vector<float> sums = product(a, b, kM, kN, kK);
  std::ranges::copy(sums, expected.begin() + kGuard);
  EXPECT_EQ(app.contents(out, c.size()), expected);
  EXPECT_EQ(app.errors(), 0);
  for (WGPUBuffer buffer : {in_a, in_b, out}) {
    app.gpu().BufferRelease(buffer);
  }
}

TEST_P(ExternalTest, PlansRecordedIntoOneEncoderRunInOrder) {
  const Application app(GetParam());
  Result<Context> context = adopt(app);
  ASSERT_TRUE(context) << context.error().message;
  const std::vector<float> a = small_integers(64, 3);
  const std::vector<float> b = small_integers(64, 4);
  const std::vector<float> zeros(64, 0);
  Result<PreparedPlan> prepared = context->prepare(product_plan(*context, 8, 8, 8));
  ASSERT_TRUE(prepared) << prepared.error().message;
  std::array<WGPUBuffer, 4> buffers = {app.storage(a, 0, 256), app.storage(b, 0, 256),
                                       app.storage(zeros, 0, 256), app.storage(zeros, 0, 256)};
  WGPUCommandEncoder encoder = app.encoder();
  webgpu::Operands first{{buffers[0], 0, 256}, {buffers[1], 0, 256}, {buffers[2], 0, 256}};
  webgpu::Operands second{{buffers[2], 0, 256}, {buffers[1], 0, 256}, {buffers[3], 0, 256}};
  ASSERT_TRUE(webgpu::record(*context, *prepared, first, encoder));
  ASSERT_TRUE(webgpu::record(*context, *prepared, second, encoder));
  app.submit(encoder);
  EXPECT_EQ(app.contents(buffers[3], 64), product(product(a, b, 8, 8, 8), b, 8, 8, 8));
  EXPECT_EQ(app.errors(), 0);
  for (WGPUBuffer buffer : buffers) {
    app.gpu().BufferRelease(buffer);
  }
}

TEST_P(ExternalTest, RunsAndCopiesOnTheApplicationsDevice) {
  const Application app(GetParam());
  Result<Context> context = webgpu::adopt([&] {
    webgpu::ExternalDevice external = app.handles();
    external.library = app.loader();
    external.queue = nullptr;
    return external;
  }());
  ASSERT_TRUE(context) << context.error().message;
  EXPECT_EQ(webgpu::device_of(*context), app.device());
  const std::vector<float> a = {1, 2, 3, 4};
  const Result<std::vector<float>> c = context->matmul(2, 2, 2, a, a);
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_EQ(*c, (std::vector<float>{7, 10, 15, 22}));
  EXPECT_EQ(context->reopen().error().code, ErrorCode::unsupported);
}

TEST_P(ExternalTest, DeviceMadeByTheRequirementsHasTheFastPaths) {
  const Application app(GetParam());
  Result<webgpu::DeviceRequirements> needs = webgpu::device_requirements(app.adapter(), app.loader(), false);
  ASSERT_TRUE(needs) << needs.error().message;
  for (std::size_t i = 0; i < needs->descriptor().requiredFeatureCount; ++i) {
    EXPECT_FALSE(needs->reason(i).empty()) << needs->descriptor().requiredFeatures[i];
  }
  EXPECT_TRUE(needs->reason(needs->descriptor().requiredFeatureCount).empty());
  Result<Context> context = adopt(app);
  ASSERT_TRUE(context) << context.error().message;
  const DeviceProfile& all = app.adapter_profile();
  EXPECT_EQ(context->profile().shader_f16, all.shader_f16);
  EXPECT_EQ(context->profile().subgroups, all.subgroups);
  EXPECT_EQ(context->profile().timestamps, all.timestamps);
  EXPECT_EQ(context->profile().name, all.name);
  EXPECT_EQ(context->profile().limits.max_buffer_size, all.limits.max_buffer_size);
  EXPECT_EQ(context->profile().subgroups, context->profile().subgroup_size > 0);
}

TEST_P(ExternalTest, PlainDeviceIsTakenForWhatItIs) {
  const Application app(GetParam(), false);
  Result<Context> context = adopt(app);
  ASSERT_TRUE(context) << context.error().message;
  const Limits minimum;
  EXPECT_EQ(context->profile().limits.max_storage_buffer_binding_size,
            minimum.max_storage_buffer_binding_size);
  EXPECT_FALSE(context->profile().shader_f16);
  EXPECT_FALSE(context->profile().subgroups);
  EXPECT_FALSE(context->profile().timestamps);
  const std::vector<float> a = {1, 2, 3, 4};
  const Result<std::vector<float>> c = context->matmul(2, 2, 2, a, a);
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_EQ(*c, (std::vector<float>{7, 10, 15, 22}));
}

TEST_P(ExternalTest, DeviceOutlivesTheContextAndKeepsItsCallbacks) {
  const Application app(GetParam());
  {
    Result<Context> context = adopt(app);
    ASSERT_TRUE(context) << context.error().message;
  }
  const std::vector<float> values = {1, 2, 3};
  WGPUBuffer buffer = app.storage(values, 0, 16);
  EXPECT_EQ(app.contents(buffer, 3), values);
  app.gpu().BufferRelease(buffer);
  EXPECT_EQ(app.errors(), 0);
  WGPUBuffer wrong = app.buffer(16, WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage);
  if (wrong != nullptr) {
    app.gpu().BufferRelease(wrong);
  }
  EXPECT_EQ(app.errors(), 1) << "the application hears of its own errors as before";
}

TEST_P(ExternalTest, ErrorsOfWgemmStayInWgemm) {
  const Application app(GetParam());
  Result<Context> context = adopt(app);
  ASSERT_TRUE(context) << context.error().message;
  Plan plan = add_plan(64);
  plan.shaders[0].wgsl.replace(plan.shaders[0].wgsl.find("dims.scale"), 10, "dims.skale");
  EXPECT_EQ(context->prepare(plan).error().code, ErrorCode::compilation);
  EXPECT_EQ(app.errors(), 0);
}

TEST_P(ExternalTest, WrongOperandsAndHandlesAreNamed) {
  const Application app(GetParam());
  Result<Context> context = adopt(app);
  ASSERT_TRUE(context) << context.error().message;
  Result<PreparedPlan> prepared = context->prepare(add_plan(64));
  ASSERT_TRUE(prepared) << prepared.error().message;
  const std::vector<float> zeros(128, 0);
  std::array<WGPUBuffer, 3> buffers = {app.storage(zeros, 0, 512), app.storage(zeros, 0, 512),
                                       app.storage(zeros, 0, 512)};
  const webgpu::Operands right{{buffers[0], 0, 256}, {buffers[1], 0, 256}, {buffers[2], 256, 256}};
  WGPUCommandEncoder encoder = app.encoder();
  webgpu::Operands wrong = right;
  wrong.a.offset = 4;
  EXPECT_EQ(webgpu::record(*context, *prepared, wrong, encoder).error().argument, "a");
  wrong = right;
  wrong.b.size = 252;
  EXPECT_EQ(webgpu::record(*context, *prepared, wrong, encoder).error().argument, "b");
  wrong = right;
  wrong.b = {};
  EXPECT_EQ(webgpu::record(*context, *prepared, wrong, encoder).error().argument, "b");
  wrong = right;
  wrong.c.buffer = buffers[0];
  EXPECT_EQ(webgpu::record(*context, *prepared, wrong, encoder).error().argument, "c");
  for (const std::uint64_t offset : {std::uint64_t{512}, std::uint64_t{1} << 20, ~std::uint64_t{255}}) {
    wrong = right;
    wrong.a.offset = offset;
    EXPECT_EQ(webgpu::record(*context, *prepared, wrong, encoder).error().argument, "a") << offset;
  }
  wrong = right;
  wrong.b.size = 1024;
  EXPECT_EQ(webgpu::record(*context, *prepared, wrong, encoder).error().argument, "b");
  EXPECT_EQ(webgpu::record(*context, *prepared, right, WGPUCommandEncoder{nullptr}).error().argument,
            "encoder");
  PreparedPlan empty;
  EXPECT_EQ(webgpu::record(*context, empty, right, encoder).error().argument, "prepared");
  EXPECT_TRUE(webgpu::record(*context, *prepared, right, encoder));
  app.submit(encoder);
  EXPECT_EQ(app.errors(), 0);
  for (WGPUBuffer buffer : buffers) {
    app.gpu().BufferRelease(buffer);
  }

  webgpu::ExternalDevice external = app.handles();
  external.device = nullptr;
  EXPECT_EQ(webgpu::adopt(external).error().argument, "device");
  external = app.handles();
  external.instance = nullptr;
  EXPECT_EQ(webgpu::adopt(external).error().argument, "instance");
  external = app.handles();
  external.adapter = nullptr;
  EXPECT_EQ(webgpu::adopt(external).error().argument, "adapter");
  external.profile = app.adapter_profile();
  EXPECT_TRUE(webgpu::adopt(external));
  external.library = {[](const char*) -> void* { return nullptr; }, ""};
  EXPECT_EQ(webgpu::adopt(external).error().argument, "library");
}

TEST_P(ExternalTest, LossOfTheApplicationsDeviceIsATypedError) {
  const Application app(GetParam());
  Result<Context> context = adopt(app);
  ASSERT_TRUE(context) << context.error().message;
  Result<PreparedPlan> prepared = context->prepare(add_plan(64));
  ASSERT_TRUE(prepared) << prepared.error().message;
  const Buffer a = buffer_with(*context, ramp(64, 0, 1));
  const Buffer c = buffer_with(*context, ramp(64, 0, 1));
  app.lose();
  const Result<void> ran = context->run(*prepared, a, a, c);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::device_lost) << ran.error().message;
  EXPECT_EQ(context->create_buffer(4).error().code, ErrorCode::device_lost);
  EXPECT_EQ(webgpu::adopt(app.handles()).error().code, ErrorCode::device_lost);
}

TEST_P(ExternalTest, NotifiedLossEndsTheContextAtOnce) {
  const Application app(GetParam());
  Result<Context> context = adopt(app);
  ASSERT_TRUE(context) << context.error().message;
  webgpu::notify_lost(*context, "a test");
  const Result<Buffer> buffer = context->create_buffer(4);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code, ErrorCode::device_lost);
  EXPECT_NE(buffer.error().message.find("a test"), std::string::npos) << buffer.error().message;
}

/// Calls into the library, counted by wrappers that a loader hands out in place of the functions.
std::map<std::string, int> calls;
native::Functions originals;
int failing_allocations = 0;  ///< buffers to come that the device is said to have no memory for
bool out_of_memory = false;   ///< what the next error scope says

webgpu::LibrarySource counting_loader(const Application& app) {
  calls.clear();
  originals = app.gpu();
  return {[load = app.loader().load](const char* name) -> void* {
            const std::string_view function(name);
#define COUNTED(Name, Arguments, ...)              \
  if (function == "wgpu" #Name) {                  \
    return reinterpret_cast<void*>(+[] Arguments { \
      ++calls[#Name];                              \
      return originals.Name(__VA_ARGS__);          \
    });                                            \
  }
            // Another address makes it another library.
            COUNTED(CreateInstance, (const WGPUInstanceDescriptor* d), d)
            COUNTED(QueueSubmit, (WGPUQueue q, std::size_t n, const WGPUCommandBuffer* c), q, n, c)
            COUNTED(InstanceProcessEvents, (WGPUInstance i), i)
            COUNTED(DevicePoll, (WGPUDevice d, WGPUBool w, const std::uint64_t* s), d, w, s)
            COUNTED(BufferMapAsync,
                    (WGPUBuffer b, WGPUMapMode m, std::size_t o, std::size_t s, WGPUBufferMapCallbackInfo i),
                    b, m, o, s, i)
            COUNTED(QueueOnSubmittedWorkDone, (WGPUQueue q, WGPUQueueWorkDoneCallbackInfo i), q, i)
            if (function == "wgpuDeviceCreateBuffer") {
              return reinterpret_cast<void*>(+[](WGPUDevice device, const WGPUBufferDescriptor* wanted) {
                ++calls["DeviceCreateBuffer"];
                out_of_memory = failing_allocations > 0;
                if (out_of_memory) --failing_allocations;
                return originals.DeviceCreateBuffer(device, wanted);
              });
            }
            if (function == "wgpuDevicePopErrorScope") {
              return reinterpret_cast<void*>(+[](WGPUDevice device, WGPUPopErrorScopeCallbackInfo info) {
                if (std::exchange(out_of_memory, false)) {
                  info.callback(WGPUPopErrorScopeStatus_Success, WGPUErrorType_OutOfMemory,
                                {"a test", WGPU_STRLEN}, info.userdata1, info.userdata2);
                  info.callback = [](WGPUPopErrorScopeStatus, WGPUErrorType, WGPUStringView, void*, void*) {};
                }
                return originals.DevicePopErrorScope(device, info);
              });
            }
            COUNTED(DeviceCreateBindGroup, (WGPUDevice d, const WGPUBindGroupDescriptor* b), d, b)
            COUNTED(DeviceSetLoggingCallback, (WGPUDevice d, native::DawnLoggingCallbackInfo i), d, i)
            COUNTED(SetLogCallback, (native::WgpuLogCallback c, void* u), c, u)
#undef COUNTED
            return load(name);
          },
          ""};
}

TEST_P(ExternalTest, RecordingNeitherSubmitsNorWaitsNorAllocatesAgain) {
  const Application app(GetParam());
  webgpu::ExternalDevice external = app.handles();
  external.library = counting_loader(app);
  external.probe = false;
  Result<Context> context = webgpu::adopt(external);
  ASSERT_TRUE(context) << context.error().message;
  EXPECT_EQ(calls["QueueSubmit"], 0) << "adopting without a probe submits nothing";
  Result<PreparedPlan> prepared = context->prepare(product_plan(*context, 8, 8, 8));
  ASSERT_TRUE(prepared) << prepared.error().message;
  const std::vector<float> zeros(64, 0);
  std::array<WGPUBuffer, 3> buffers = {app.storage(zeros, 0, 256), app.storage(zeros, 0, 256),
                                       app.storage(zeros, 0, 256)};
  const webgpu::Operands operands{{buffers[0], 0, 256}, {buffers[1], 0, 256}, {buffers[2], 0, 256}};
  calls.clear();
  WGPUCommandEncoder encoder = app.encoder();
  ASSERT_TRUE(webgpu::record(*context, *prepared, operands, encoder));
  EXPECT_GT(calls["DeviceCreateBindGroup"], 0) << "the wrappers are called";
  const std::map<std::string, int> first = calls;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(webgpu::record(*context, *prepared, operands, encoder));
  }
  EXPECT_EQ(calls, first) << "no buffers and no bind groups after the first time";
  for (const char* waits : {"QueueSubmit", "InstanceProcessEvents", "DevicePoll", "BufferMapAsync",
                            "QueueOnSubmittedWorkDone", "DeviceSetLoggingCallback", "SetLogCallback"}) {
    EXPECT_EQ(calls[waits], 0) << waits;
  }
  app.submit(encoder);
  for (WGPUBuffer buffer : buffers) {
    app.gpu().BufferRelease(buffer);
  }
}

TEST_P(ExternalTest, FailedAllocationIsATypedErrorAndTheNextCallWorks) {
  const Application app(GetParam());
  webgpu::ExternalDevice external = app.handles();
  external.library = counting_loader(app);
  external.probe = false;
  Result<Context> context = webgpu::adopt(external);
  ASSERT_TRUE(context) << context.error().message;
  Result<PreparedPlan> prepared = context->prepare(two_step_plan(64));
  ASSERT_TRUE(prepared) << prepared.error().message;
  const Buffer a = buffer_with(*context, ramp(64, 0, 1));
  const Buffer c = buffer_with(*context, ramp(64, 0, 0));

  failing_allocations = 2;  // the pool is emptied, and then there is still none
  const Result<Buffer> buffer = context->create_buffer(64);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code, ErrorCode::out_of_memory) << buffer.error().message;
  EXPECT_TRUE(context->create_buffer(64));

  failing_allocations = 2;
  const Result<void> ran = context->run(*prepared, a, a, c);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::out_of_memory) << ran.error().message;
  EXPECT_NE(ran.error().message.find(prepared->plan().kernel), std::string::npos) << ran.error().message;
  EXPECT_TRUE(context->run(*prepared, a, a, c));

  EXPECT_GT(context->live().pooled_bytes, 0U);
  failing_allocations = 1;
  EXPECT_TRUE(context->create_buffer(64)) << "what the pool keeps is given up for it";
  EXPECT_EQ(context->live().pooled_bytes, 0U);
}

}  // namespace
}  // namespace wgemm
