// wgemm emit: the plan for a problem on a device profile, and its WGSL. Needs no GPU.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli/commands/command.hpp"
#include "cli/commands/options.hpp"
#include "cli/files/new_file.hpp"
#include "cli/report/figures.hpp"
#include "cli/terminal/text.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::cli {
namespace {

struct EmitOptions {
  std::uint64_t m = 1024;
  std::uint64_t n = 1024;
  std::uint64_t k = 1024;
  std::string kernel;
  std::string profile = "minimum";
  std::string orders = "rrr";
  std::string type = "f32";
  std::string edges = "checked";
  std::string format = "wgsl";
  std::string output = "-";
  bool list = false;
};

constexpr auto kFooter = R"(Examples:
  wgemm emit --list
  wgemm emit --m 100 --n 33 --k 5
  wgemm emit --kernel tiled_TILE32_ROWS4 --orders rcr --edges padded
  wgemm emit --profile h200 --kernel subgroup-matrix --type f16 --format json
  wgemm info --json mine.json; wgemm emit --profile mine.json)";

/// Of what `wgemm info --json` writes, the profile of the first adapter; anything else as it is.
nlohmann::json profile_in(nlohmann::json json) {
  if (!json.is_object() || !json.contains("libraries") || !json["libraries"].is_array()) return json;
  for (const auto& library : json["libraries"]) {
    if (!library.is_object() || !library.contains("adapters") || !library["adapters"].is_array()) continue;
    for (const auto& adapter : library["adapters"]) {
      if (adapter.is_object() && adapter.contains("profile")) return adapter["profile"];
    }
  }
  return json;
}

Result<DeviceProfile> read_profile(const std::string& text) {
  const auto json = profile_in(nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false));
  // Fields may be missing, since profiles gain some; what has none of these is no profile.
  if (json.is_object() && !(json.contains("name") && json.contains("limits"))) {
    return fail(ErrorCode::invalid_argument, "profile", "it has no 'name' and no 'limits' of a device");
  }
  return profile_from_json(json.is_object() ? json.dump() : text);
}

Result<DeviceProfile> load_profile(const std::string& name) {
  if (!name.ends_with(".json")) {
    auto profile = find_profile(name);
    if (!profile) {
      profile.error().message =
          fmt::format("--profile: {}, or the path of a .json file", profile.error().message);
    }
    return profile;
  }
  std::ifstream stream(name, std::ios::binary);
  if (!stream)
    return fail(ErrorCode::not_found, "--profile", fmt::format("--profile: cannot read '{}'", name));
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  auto profile = read_profile(text);
  if (!profile) profile.error().message = fmt::format("'{}': {}", name, profile.error().message);
  return profile;
}

/// The plan in words, as comments above its shaders.
std::string to_wgsl(const Plan& plan, const DeviceProfile& profile) {
  std::string text =
      fmt::format("// plan      {} with {}, for {}\n", describe(plan.problem), plan.kernel, profile.name);
  text += fmt::format("// traffic   {:.4g} operations, {:.4g} bytes asked for: {:.3g} operations a byte\n",
                      plan.traffic.flops, plan.traffic.global_bytes, plan.traffic.intensity());
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const auto& buffer = plan.buffers[i];
    if (buffer.bytes == 0) continue;  // of an operand that this problem does not have
    text += fmt::format("// buffer {}  {}, {} bytes\n", i, to_string(buffer.role), buffer.bytes);
  }
  for (const auto& step : plan.steps) {
    text += fmt::format("// step      {} with shader {}:", to_string(step.kind), step.shader);
    for (const auto& binding : step.bindings) {
      text += fmt::format(" binding {} = buffer {}{},", binding.index, binding.buffer,
                          binding.writable ? " (written)" : "");
    }
    text += fmt::format(" uniforms at {}\n", step.uniform_binding);
    for (const auto& dispatch : step.dispatches) {
      text += fmt::format("//           dispatch {} workgroups, uniforms {}\n",
                          fmt::join(dispatch.workgroups, "x"), fmt::join(dispatch.uniforms, " "));
    }
  }
  for (std::size_t i = 0; i < plan.shaders.size(); ++i) {
    text += fmt::format("\n// shader {}: {}\n{}", i, plan.shaders[i].label, plan.shaders[i].wgsl);
  }
  return text;
}

void print_kernels() {
  constexpr std::size_t kWidth = 100;
  for (const auto& kernel : list_kernels()) {
    fmt::print("{}\n  {}\n", kernel.name, kernel.summary);
    for (const auto& parameter : kernel.parameters) {
      const auto text = fmt::format("{}; one of {}; default {}", parameter.meaning,
                                    fmt::join(parameter.values, ", "), parameter.standard);
      const auto lines = wrap(text, kWidth);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        fmt::print("    {} {}\n", left(i == 0 ? parameter.name : "", 6), lines[i]);
      }
    }
  }
  fmt::print(
      "\nA name is a kernel with any of its parameters: tiled, tiled_TILE32_ROWS4. Names of rungs stand for "
      "their "
      "configurations:\n");
  for (const auto& rung : list_rungs()) fmt::print("  {} {}\n", left(rung.name, 18), rung.kernel);
  std::string profiles;
  for (const auto& profile : builtin_profiles()) profiles += (profiles.empty() ? "" : ", ") + profile.name;
  fmt::print("\nProfiles: {}\n", profiles);
}

int run_emit(const EmitOptions& typed) {
  if (typed.list) {
    print_kernels();
    return kOk;
  }
  if (!typed.kernel.empty()) {
    if (const auto known = find_kernel("--kernel", typed.kernel); !known) return report(known.error());
  }
  const auto profile = load_profile(typed.profile);
  if (!profile) return report(profile.error());
  Problem problem;
  problem.m = typed.m;
  problem.n = typed.n;
  problem.k = typed.k;
  if (!set_orders(problem, typed.orders)) return kUsage;
  for (const auto type : {DataType::f32, DataType::f16, DataType::i8, DataType::u8}) {
    if (to_string(type) == typed.type) problem.a.type = problem.b.type = type;
  }
  if (!is_floating(problem.a.type)) problem.c.type = DataType::i32;
  const auto edges = typed.edges == "padded" ? EdgePolicy::padded : EdgePolicy::checked;
  const auto plan = make_plan(problem, *profile, {.kernel = typed.kernel, .edges = edges});
  if (!plan) return report(plan.error());
  const auto text = typed.format == "json" ? to_json(*plan) + "\n" : to_wgsl(*plan, *profile);
  if (auto done = write_text("--output", typed.output, text); !done) return report(done.error());
  return kOk;
}

}  // namespace

Command add_emit(CLI::App& program) {
  auto typed = std::make_shared<EmitOptions>();
  auto* app = program.add_subcommand("emit", "Print the plan and the WGSL for a problem, without a GPU");
  app->footer(kFooter);
  const auto size = whole_number(1, std::numeric_limits<std::uint32_t>::max());
  app->add_option("--m", typed->m, "Rows of A and C. Default: 1024")->check(size)->type_name("N");
  app->add_option("--n", typed->n, "Columns of B and C. Default: 1024")->check(size)->type_name("N");
  app->add_option("--k", typed->k, "Columns of A, rows of B. Default: 1024")->check(size)->type_name("N");
  app->add_option("--kernel", typed->kernel, "Kernel by name, see --list. Default: the planner's choice")
      ->type_name("NAME");
  app->add_option(
         "--profile", typed->profile,
         "Device to plan for: a built-in profile (see --list), or a .json file as `wgemm info --json` writes "
         "it (its first adapter) or with one profile. Default: minimum, which every device runs")
      ->type_name("NAME");
  app->add_option(
         "--orders", typed->orders,
         "Orders of A, B and C, a letter each: r for rows (C), c for columns (Fortran). Default: rrr")
      ->check(orders_check())
      ->type_name("ORDERS");
  add_choice(*app, "--type", typed->type, {"f32", "f16", "i8", "u8"},
             "Type of the elements of A and B; C is f32, and i32 for integers. Default: f32");
  add_choice(*app, "--edges", typed->edges, {"checked", "padded"},
             "checked: each load and store is guarded at the edges; padded: operands are copied into whole "
             "tiles. Default: checked");
  add_choice(*app, "--format", typed->format, {"wgsl", "json"},
             "wgsl: the shaders, with the plan as comments; json: the whole plan. Default: wgsl");
  app->add_option("-o,--output", typed->output, "Write to FILE instead of standard output")
      ->type_name("FILE");
  app->add_flag("--list", typed->list, "List kernels with their parameters, rungs and profiles");
  return {app, [typed](const Invocation&) { return run_emit(*typed); }};
}

}  // namespace wgemm::cli
