// How long a process waits, from a ready device, for its first product: one JSON line. startup.py calls it
// with each cache on and off.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "wgemm/context.hpp"
#include "wgemm/environment.hpp"

namespace wgemm::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Typed {
  std::string webgpu = "dawn";
  std::string cache = "off";
  std::string kernel;
  std::string type = "f32";
  std::uint64_t size = 1024;
  bool unchecked = false;
};

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Result<void> measure(const Typed& typed) {
  ContextOptions options;
  options.webgpu = typed.webgpu;
  options.pipeline_cache = typed.cache;
  options.unchecked_shaders = typed.unchecked;
  auto context = Context::create(options);
  if (!context) return tl::unexpected(context.error());
  Problem problem;
  problem.m = problem.n = problem.k = typed.size;
  problem.a.type = problem.b.type = typed.type == "f16" ? DataType::f16 : DataType::f32;

  std::vector<Buffer> buffers(3);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    auto made = context->create_buffer(buffer_bytes(problem, static_cast<Matrix>(i)));
    if (!made) return tl::unexpected(made.error());
    buffers[i] = std::move(*made);
  }
  const auto before = context->pipeline_cache();
  const auto start = Clock::now();
  auto prepared = context->prepare(problem, {.kernel = typed.kernel});
  if (!prepared) return tl::unexpected(prepared.error());
  const double prepare_ms = ms_since(start);
  if (auto done = context->run(*prepared, buffers[0], buffers[1], buffers[2]); !done) return done;
  const double first_product_ms = ms_since(start);
  const auto again = Clock::now();
  if (auto done = context->run(*prepared, buffers[0], buffers[1], buffers[2]); !done) return done;
  const double second_product_ms = ms_since(again);
  const auto after = context->pipeline_cache();
  fmt::print(
      R"({{"device": "{}", "library": "{}", "kernel": "{}", "prepare_ms": {:.3f}, "first_product_ms": {:.3f}, )"
      R"("second_product_ms": {:.3f}, "hits": {}, "stored": {}}})"
      "\n",
      context->profile().name, context->profile().library, prepared->plan().kernel, prepare_ms,
      first_product_ms, second_product_ms, after.hits - before.hits, after.stored - before.stored);
  return {};
}

}  // namespace
}  // namespace wgemm::bench

int main(int argc, char** argv) {
  wgemm::prepare_environment();
  wgemm::bench::Typed typed;
  CLI::App program("Time from a ready device to the first product");
  program.add_option("--webgpu", typed.webgpu, "dawn, wgpu or the path of a library");
  program.add_option("--cache", typed.cache, "Folder of compiled pipelines, or off");
  program.add_option("--kernel", typed.kernel, "Kernel by name; else the planner's choice");
  program.add_option("--type", typed.type, "Of A and B")->check(CLI::IsMember({"f32", "f16"}));
  program.add_option("--size", typed.size, "m, n and k")->check(CLI::Range(1, 32768));
  program.add_flag("--unchecked", typed.unchecked,
                   "Without bounds checks where the plan proves them needless");
  CLI11_PARSE(program, argc, argv);
  if (const auto done = wgemm::bench::measure(typed); !done) {
    fmt::print(stderr, "{}\n", done.error().message);
    return 1;
  }
  return 0;
}
