// wgemm compiled against a WebGPU library that this program links.
#include <gtest/gtest.h>

#include "application.hpp"
#include "native/library/library.hpp"
#include "wgemm/webgpu.hpp"

namespace wgemm {
namespace {

#ifdef WGEMM_WEBGPU_DIRECT_DAWN
const std::string kLinked = "dawn";
const std::string kOther = "wgpu";
#else
const std::string kLinked = "wgpu";
const std::string kOther = "dawn";
#endif

const std::vector<float> kA = {1, 2, 3, 4};
const std::vector<float> kProduct = {7, 10, 15, 22};

TEST(Direct, FunctionsAreThoseThatTheProgramLinks) {
  const native::Library& library = *native::Library::open(kLinked).value();
  EXPECT_EQ(library.functions().CreateInstance, &wgpuCreateInstance);
  EXPECT_EQ(library.functions().QueueSubmit, &wgpuQueueSubmit);
  EXPECT_EQ(library.functions().DevicePoll != nullptr, kLinked == "wgpu");
  EXPECT_EQ(library.functions().DeviceGetLostFuture != nullptr, kLinked == "dawn");
}

TEST(Direct, OpensADeviceAndMultiplies) {
  Result<Context> context = Context::create();
  ASSERT_TRUE(context) << context.error().message;
  EXPECT_EQ(context->profile().library, kLinked);
  const Result<std::vector<float>> c = context->matmul(2, 2, 2, kA, kA);
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_EQ(*c, kProduct);
}

TEST(Direct, AdoptsADeviceWithoutALoader) {
  const Application app(kLinked);
  webgpu::ExternalDevice external = app.handles();
  external.library = {};
  Result<Context> context = webgpu::adopt(external);
  ASSERT_TRUE(context) << context.error().message;
  const Result<std::vector<float>> c = context->matmul(2, 2, 2, kA, kA);
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_EQ(*c, kProduct);
}

TEST(Direct, OpensNoOtherLibrary) {
  ContextOptions options;
  options.webgpu = kOther;
  EXPECT_EQ(Context::create(options).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace wgemm
