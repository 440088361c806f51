// naga, the WGSL compiler of wgpu-native, takes the variants, and writes a pipeline of each kernel where the
// minimum limits have room. Nothing runs, so that no driver compiles for seconds; all of them take naga five
// minutes all the same, so that without WGEMM_TEST_ALL it gets one of each kernel and an eighth of the
// others.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "native/context/context_impl.hpp"
#include "native/context/error_scope.hpp"
#include "native/execute/shader_module.hpp"
#include "tests/variants/variants.hpp"
#include "wgemm/context.hpp"

namespace wgemm::testing {
namespace {

class Naga : public ::testing::Test {
 protected:
  void SetUp() override {
    ContextOptions options;
    options.webgpu = "wgpu";
    auto opened = Context::create(options);
    if (!opened && opened.error().code == ErrorCode::not_found) GTEST_SKIP() << opened.error().message;
    ASSERT_TRUE(opened) << opened.error().message;
    ASSERT_TRUE(opened->profile().shader_f16) << "half of the texts want it";
    context = std::make_unique<Context>(std::move(*opened));
  }

  /// What is wrong with it; empty where nothing is.
  [[nodiscard]] std::string fault(const Shader& shader, bool pipeline) const {
    native::Device& device = native::Access::device(*context);
    const auto module = native::create_shader_module(device, shader);
    if (!module) return module.error().message;
    if (!pipeline) return {};
    const auto& gpu = device.gpu();
    WGPUComputePipelineDescriptor descriptor{};
    descriptor.compute.module = module->get();
    descriptor.compute.entryPoint = {shader.entry_point.data(), shader.entry_point.size()};
    native::ErrorScope scope(device);
    const native::Handle<WGPUComputePipeline> made(gpu.DeviceCreateComputePipeline(device.get(), &descriptor),
                                                   gpu.ComputePipelineRelease);
    const auto closed = scope.close(ErrorCode::compilation, shader.label);
    return closed ? std::string() : closed.error().message;
  }

  std::unique_ptr<Context> context;
};

TEST_F(Naga, TakesTheVariants) {
  constexpr std::size_t kMostTold = 5;
  const bool all = std::getenv("WGEMM_TEST_ALL") != nullptr;
  std::size_t number = 0;
  std::size_t texts = 0;
  std::size_t wrong = 0;
  std::size_t pipelines = 0;
  const auto refused = for_each_variant(Dialect::naga, [&](const Variant& variant) {
    if (++number % 8 != 0 && !all) return;
    ++texts;
    if (variant.pipeline) ++pipelines;
    const auto message = fault(variant.shader, variant.pipeline);
    if (message.empty() || ++wrong > kMostTold) return;
    ADD_FAILURE() << variant.shader.label << ": " << message << '\n' << variant.shader.wgsl;
  });
  EXPECT_EQ(refused, 0U);
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(texts, all ? 10000U : 1000U);
  EXPECT_GT(pipelines, texts / 2);
}

TEST_F(Naga, RefusesAWrongText) {
  Shader shader;
  shader.wgsl = "@compute @workgroup_size(1) fn main() { let one: u32 = 1.5; }";
  EXPECT_NE(fault(shader, false), "");
  shader.wgsl = "@compute @workgroup_size(1) fn main() {}";
  EXPECT_EQ(fault(shader, true), "");
}

}  // namespace
}  // namespace wgemm::testing
