// What a product costs on the host: planning, and each call on prepared buffers above the WebGPU calls that
// it cannot do without. Arguments: WebGPU libraries (dawn, wgpu); without any, those that open.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "bench/overhead/samples.hpp"
#include "native/context/context_impl.hpp"
#include "wgemm/environment.hpp"
#include "wgemm/webgpu.hpp"

namespace wgemm::bench {
namespace {

constexpr double kCachedLimitUs = 20;
constexpr double kColdLimitUs = 1000;
constexpr double kCallLimitUs = 10;

Problem square(std::uint64_t size) {
  Problem problem;
  problem.m = size;
  problem.n = size;
  problem.k = size;
  return problem;
}

/// Problems whose plans have different texts and steps.
std::vector<std::pair<std::string, Problem>> problems() {
  std::vector<std::pair<std::string, Problem>> list = {{"512x512x512", square(512)}};
  Problem skinny = square(4096);
  skinny.m = 1;
  list.emplace_back("1x4096x4096", skinny);
  Problem full = square(1000);
  full.trans_b = Transpose::transpose;
  full.alpha = 0.5F;
  full.batch.rank = 1;
  full.batch.extents[0] = 8;
  full.batch.a[0] = 1000000;
  full.batch.c[0] = 1000000;
  full.epilogue.bias = Bias::per_column;
  full.epilogue.activation = Activation::gelu;
  list.emplace_back("8 times 1000x1000x1000, B transposed, bias, gelu", full);
  return list;
}

/// The calls of webgpu.h that carry a plan out once, and nothing else.
class Raw {
 public:
  Raw(PreparedPlan& prepared, const native::OperandViews& views)
      : data_(native::Access::data(prepared)), device_(*data_.device()), gpu_(device_.gpu()) {
    auto scratch = data_.take_scratch();
    scratch_ = std::move(*scratch);
    bound_ = *data_.bind(views, scratch_);
  }

  void record(WGPUCommandEncoder encoder) const {
    const WGPUComputePassDescriptor descriptor{};
    WGPUComputePassEncoder pass = gpu_.CommandEncoderBeginComputePass(encoder, &descriptor);
    const Plan& plan = data_.plan();
    for (std::size_t step = 0; step < plan.steps.size(); ++step) {
      for (std::size_t dispatch = 0; dispatch < plan.steps[step].dispatches.size(); ++dispatch) {
        data_.encode(pass, *bound_, step, dispatch);
      }
    }
    gpu_.ComputePassEncoderEnd(pass);
    gpu_.ComputePassEncoderRelease(pass);
  }

  [[nodiscard]] bool run() const {
    WGPUCommandEncoder encoder = gpu_.DeviceCreateCommandEncoder(device_.get(), nullptr);
    record(encoder);
    WGPUCommandBuffer commands = gpu_.CommandEncoderFinish(encoder, nullptr);
    gpu_.CommandEncoderRelease(encoder);
    gpu_.QueueSubmit(device_.queue(), 1, &commands);
    gpu_.CommandBufferRelease(commands);
    return static_cast<bool>(device_.drain({}));
  }

 private:
  native::PreparedPlanData& data_;
  native::Device& device_;
  const native::Functions& gpu_;
  native::Scratch scratch_;
  std::shared_ptr<const native::BoundOperands> bound_;
};

Samples above(const Pair& pair) {
  return {pair.first.minimum_us - pair.second.minimum_us, pair.first.median_us - pair.second.median_us};
}

bool measure_plans(Context& context) {
  bool kept = true;
  for (const auto& [name, problem] : problems()) {
    std::uint64_t round = 0;
    const Samples cold = sample(200, [&] {
      Problem other = problem;
      other.n += 4 * ++round;  // never seen before
      other.c.ld = other.batch.rank > 0 ? 1000 : 0;
      other.n = other.batch.rank > 0 ? 500 + round : other.n;
      return static_cast<bool>(make_plan(other, context.profile()));
    });
    kept = print_row("plan " + name, cold, kColdLimitUs) && kept;
    if (!context.prepare(problem)) {
      fmt::print("{} is not prepared\n", name);
      return false;
    }
    const Samples cached = sample(1000, [&] { return static_cast<bool>(context.prepare(problem)); });
    kept = print_row("prepared plan of " + name + ", kept", cached, kCachedLimitUs) && kept;
  }
  return kept;
}

bool measure_calls(Context& context) {
  Problem problem = square(64);
  Result<PreparedPlan> prepared = context.prepare(problem);
  if (!prepared) {
    fmt::print("{}\n", prepared.error().message);
    return false;
  }
  std::vector<Buffer> buffers(3);
  for (Buffer& buffer : buffers) {
    buffer = context.create_buffer(sizeof(float) * 64 * 64).value();
  }
  const Operands operands{&buffers[0], &buffers[1], &buffers[2]};
  const auto range = [](const Buffer& buffer) {
    return webgpu::BufferRange{webgpu::buffer_of(buffer), 0, buffer.size()};
  };
  const webgpu::Operands ranges{range(buffers[0]), range(buffers[1]), range(buffers[2])};
  const Raw raw(*prepared, native::Access::views(operands));
  const native::Functions& gpu = native::Access::device(context).gpu();
  WGPUCommandEncoder encoder = gpu.DeviceCreateCommandEncoder(webgpu::device_of(context), nullptr);
  const Pair recorded = sample_by_turns(
      2000, [&] { return static_cast<bool>(webgpu::record(context, *prepared, ranges, encoder)); },
      [&] {
        raw.record(encoder);
        return true;
      });
  gpu.CommandEncoderRelease(encoder);
  print_row("a pass recorded by the WebGPU calls", recorded.second, 0);
  bool kept = print_row("  record: above that", above(recorded), kCallLimitUs);
  const Pair ran = sample_by_turns(
      1000, [&] { return static_cast<bool>(context.run(*prepared, operands)); }, [&] { return raw.run(); });
  print_row("64x64x64 run by the WebGPU calls, with its wait", ran.second, 0);
  kept = print_row("  run: above that", above(ran), kCallLimitUs) && kept;
  return kept;
}

bool measure(const std::string& library) {
  ContextOptions options;
  options.webgpu = library;
  Result<Context> context = Context::create(options);
  if (!context) {
    fmt::print("{}: {}\n", library, context.error().message);
    return false;
  }
  fmt::print("{} on {} ({})\n{:<58} {:>9} {:>9}\n", library, context->profile().name,
             context->profile().driver, "", "least us", "median us");
  const bool plans = measure_plans(*context);
  return measure_calls(*context) && plans;
}

}  // namespace
}  // namespace wgemm::bench

int main(int argc, char** argv) {
  wgemm::prepare_environment();
  std::vector<std::string> libraries(argv + 1, argv + argc);
  if (libraries.empty()) {
    libraries = {"dawn", "wgpu"};
  }
  bool kept = true;
  for (const std::string& library : libraries) {
    kept = wgemm::bench::measure(library) && kept;
  }
  return kept && wgemm::bench::all_worked() ? 0 : 1;
}
