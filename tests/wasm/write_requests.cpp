// Writes requests of every call and their answers as this machine's code gives them, a line each in turn, for
// same_answers.mjs to compare with WebAssembly's.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "core/caller_buffers.hpp"
#include "core/streaming/panels.hpp"
#include "tests/core/public_devices.hpp"
#include "tests/wasm/requests.hpp"
#include "verify/fuzz/draw.hpp"
#include "verify/fuzz/forced_limits.hpp"
#include "wasm/call.hpp"
#include "wgemm/planner.hpp"

namespace {

using namespace wgemm;
using json::Json;
using testing::panels_request;
using testing::plan_request;
using testing::request;

constexpr std::uint64_t kSeed = 6;
constexpr std::uint64_t kGroups = 160;  ///< of drawn problems, for each device

void write_text(const std::string& text) { std::cout << text << '\n' << wasm::answer(text) << '\n'; }

void write(const Json& asked) { write_text(asked.dump()); }

/// The plan, and its halves where an operand is prepared.
void write_plan(Json asked, bool halves) {
  write(asked);
  if (!halves) return;
  asked["call"] = "split";
  for (const auto* const operand : {"a", "b"}) {
    asked["operand"] = operand;
    write(asked);
  }
}

/// How the product is cut, and its first panels and its last ones, which are at the edges.
void write_panels(const Json& asked) {
  constexpr std::uint64_t kFirst = 6;
  constexpr std::uint64_t kLast = 2;
  write(asked);
  const auto cut = Json::parse(wasm::answer(asked.dump())).value("result", Json());
  const auto count = cut.is_object() ? cut["count"].get<std::uint64_t>() : 0;
  for (std::uint64_t i = 0; i < std::min(count, kFirst); ++i) write(testing::panel_request(asked, i));
  for (auto i = std::max(count, kFirst + kLast) - kLast; i < count; ++i) {
    write(testing::panel_request(asked, i));
  }
}

/// Panels within a third of what the operands take, and with buffers of half of the largest one.
void write_panels(const Problem& problem, const Limits& limits, const PlanOptions& options) {
  write_panels(panels_request(problem, limits, operand_bytes(problem) / 3, options));
  auto small = limits;
  const auto bytes = caller_bytes(problem);
  small.max_buffer_size = std::ranges::max(bytes) / 2;
  write_panels(panels_request(problem, small, 0, options));
}

/// Every kind of problem at small sizes, with kernels of every family and with the planner's choice.
void drawn_problems(const DeviceProfile& profile) {
  const auto kernels = verify::fuzz::small_kernels(profile, {});
  for (std::uint64_t number = 0; number < kGroups; ++number) {
    const auto group = verify::fuzz::draw_group(kernels, kSeed, number);
    for (std::uint64_t index = 0; index < 2; ++index) {
      const auto drawn = verify::fuzz::draw_case(group, kSeed, number, index);
      const auto limited = verify::fuzz::limited(profile, drawn);
      write_plan(plan_request(drawn.problem, limited, drawn.options), number % 4 == 0);
      if (index == 0) write(request("describe", {{"problem", json::Writer::of(drawn.problem)}}));
      write_panels(drawn.problem, profile.limits, drawn.options);
    }
  }
}

/// What the planner chooses at sizes that drawn problems never have, beyond 32 bits of bytes among them.
void chosen_kernels(const DeviceProfile& profile) {
  using Sizes = std::array<std::uint64_t, 3>;
  constexpr std::array kSizes{Sizes{1, 4096, 4096},  Sizes{4096, 1, 4096},    Sizes{17, 4099, 4096},
                              Sizes{64, 64, 65536},  Sizes{512, 512, 512},    Sizes{1024, 1024, 1024},
                              Sizes{1000, 777, 65},  Sizes{4096, 4096, 4096}, Sizes{40000, 40000, 300},
                              Sizes{3, 70000, 70000}};
  constexpr std::array kTypes{std::array{DataType::f32, DataType::f32, DataType::f32},
                              std::array{DataType::f16, DataType::f16, DataType::f16},
                              std::array{DataType::i8, DataType::u8, DataType::i32},
                              std::array{DataType::f16, DataType::u4, DataType::f32}};
  for (const auto& [m, n, k] : kSizes) {
    for (const auto& [a, b, c] : kTypes) {
      Problem problem{.m = m, .n = n, .k = k, .a = {.type = a}, .b = {.type = b}, .c = {.type = c}};
      if (b == DataType::u4) {
        problem.b.order = Order::col_major;
        problem.quantization.block = 32;
      }
      write_plan(plan_request(problem, profile), false);
      write_plan(plan_request(problem, profile, {.edges = EdgePolicy::padded, .max_dispatch_flops = 1e10}),
                 true);
      write_plan(plan_request(problem, profile, {.scratch_cap = 100'000'000, .dequantise = true}), false);
      write_panels(panels_request(problem, profile.limits, 100'000'000));
    }
  }
}

void of_device(const DeviceProfile& profile) {
  const Json device = json::Writer::of(profile);
  write(request("ladder", {{"profile", device}}));
  write(request("minimum_profile", {{"profile", device}}));
  drawn_problems(profile);
  chosen_kernels(profile);
}

/// What is no request; nested so deep that a recursive reader's stack would end.
void no_requests() {
  constexpr std::size_t kDeep = 1'000'000;
  const std::string deep(kDeep, '[');
  for (const auto& text : {std::string(), std::string("no JSON"), std::string("{\"call\": \"\xff\"}"), deep,
                           R"({"call": )" + deep + std::string(kDeep, ']') + "}"}) {
    write_text(text);
  }
}

void of_no_device() {
  for (const auto* const call : {"version", "kernels", "profiles", "none"}) write(request(call));
  for (const auto& profile : builtin_profiles()) write(request("profile", {{"name", profile.name}}));
  const Json device = json::Writer::of(*find_profile("h200"));
  for (const auto& kernel : list_kernels()) {
    write(request("canonical_kernel_name", {{"name", kernel.name}}));
    // All take long, for there are many; the other devices' profiles meet the same rule with each plan.
    const auto type = kernel.name == "packed-dot" ? DataType::i8 : DataType::f16;
    const Json arguments{{"family", kernel.name}, {"profile", device}, {"type", to_string(type)}};
    write(request("configurations", arguments));
  }
}

}  // namespace

int main() {
  no_requests();
  of_no_device();
  std::vector<DeviceProfile> devices(builtin_profiles().begin(), builtin_profiles().end());
  for (auto& device : testing::public_devices()) {
    // The built-in ones are among them already.
    if (!find_profile(device.name)) devices.push_back(std::move(device));
  }
  // As the driver of the real one reports it, with measured choices.
  auto measured = *find_profile("h200");
  measured.device_id = 0x2335;
  devices.push_back(std::move(measured));
  for (const auto& device : devices) of_device(device);
  return std::cout.flush() ? 0 : 1;
}
