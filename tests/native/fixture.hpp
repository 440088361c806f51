// Contexts for tests, and small plans written by hand.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/lose.hpp"
#include "wgemm/context.hpp"

namespace wgemm {

/// Path of the running test program.
extern std::string test_program;

inline ContextOptions options_for(const std::string& library) {
  ContextOptions options;
  options.webgpu = library;
  return options;
}

/// Opens a context, or fails the test: a library that setup fetched must open.
inline Context open(const ContextOptions& options) {
  Result<Context> context = Context::create(options);
  EXPECT_TRUE(context) << context.error().message;
  return std::move(context).value();
}

/// C = scale * (A + B), element by element, with `count` and `scale` in the uniform block.
inline Plan add_plan(std::uint32_t count, std::uint32_t scale = 1, std::uint32_t dispatches = 1) {
  constexpr std::uint32_t kWorkgroup = 64;
  Plan plan;
  plan.kernel = "add";
  Shader shader;
  shader.label = "add";
  shader.wgsl = R"(
struct Dims { count: u32, scale: u32, start: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> dims: Dims;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x + dims.start;
  if (i < dims.count) { c[i] = f32(dims.scale) * (a[i] + b[i]); }
}
)";
  shader.workgroup_size = {kWorkgroup, 1, 1};
  shader.proven_in_bounds = true;
  plan.shaders.push_back(shader);
  const std::uint64_t bytes = std::uint64_t{count} * sizeof(float);
  plan.buffers = {{BufferRole::a, bytes}, {BufferRole::b, bytes}, {BufferRole::c, bytes}};
  Step step;
  step.bindings = {{0, 0, false}, {1, 1, false}, {2, 2, true}};
  step.uniform_binding = 3;
  const std::uint32_t groups = (count + kWorkgroup - 1) / kWorkgroup;
  const std::uint32_t piece = (groups + dispatches - 1) / dispatches;
  for (std::uint32_t start = 0; start < groups; start += piece) {
    step.dispatches.push_back({{count, scale, start * kWorkgroup}, {std::min(piece, groups - start), 1, 1}});
  }
  plan.steps.push_back(step);
  return plan;
}

/// A + B into scratch, then scratch + B into C: two steps that depend on each other.
inline Plan two_step_plan(std::uint32_t count) {
  Plan plan = add_plan(count);
  plan.buffers.push_back({BufferRole::scratch, plan.buffers.front().bytes});
  Step second = plan.steps.front();
  plan.steps.front().bindings[2].buffer = 3;
  second.bindings[0].buffer = 3;
  plan.steps.push_back(second);
  return plan;
}

inline std::vector<float> ramp(std::size_t count, float start, float step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = start + step * static_cast<float>(i);
  }
  return values;
}

inline Buffer buffer_with(Context& context, const std::vector<float>& values) {
  Result<Buffer> buffer = context.create_buffer(values.size() * sizeof(float));
  EXPECT_TRUE(buffer) << buffer.error().message;
  const Result<void> copied = context.upload(*buffer, 0, std::as_bytes(std::span(values)));
  EXPECT_TRUE(copied) << copied.error().message;
  return std::move(buffer).value();
}

inline std::vector<float> contents(Context& context, const Buffer& buffer, std::size_t count) {
  std::vector<float> values(count, -1.0F);
  const Result<void> copied = context.download(buffer, 0, std::as_writable_bytes(std::span(values)));
  EXPECT_TRUE(copied) << copied.error().message;
  return values;
}

/// Tests of this fixture run once on each library.
class OnBothLibraries : public testing::TestWithParam<std::string> {
 protected:
  /// One context for all tests that need no special options.
  static Context& shared_context() {
    static std::map<std::string, Context> contexts;
    const auto found = contexts.find(GetParam());
    return found != contexts.end()
               ? found->second
               : contexts.emplace(GetParam(), open(options_for(GetParam()))).first->second;
  }
};

inline std::string name_of(const testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace wgemm

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): a test suite's name cannot be passed otherwise
#define WGEMM_ON_BOTH_LIBRARIES(suite) \
  INSTANTIATE_TEST_SUITE_P(Libraries, suite, testing::Values("dawn", "wgpu"), name_of)
