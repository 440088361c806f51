// wgemm verify: all kernels over many problems, each judged by its error bound and by exact integers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>

#include "cli/commands/command.hpp"
#include "cli/commands/fuzz.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/verification.hpp"
#include "cli/files/new_file.hpp"
#include "cli/report/figures.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;

struct VerifyOptions {
  DeviceOptions device;
  ReportOptions reports;
  std::vector<std::string> kernels{"all"};
  std::vector<std::string> shapes;
  std::uint64_t random = 0;
  std::uint64_t fuzz = 0;
  std::string replay;
  std::vector<std::string> orders{"rrr"};
  std::string type = "f32";
  std::string edges = "checked";
  std::uint64_t seed = 1;
};

constexpr auto kFooter =
    R"(A product is right when it lies within the componentwise error bound of a float64 reference, equals the
exact result on small integers element by element, and leaves what stands behind C untouched.

Exit code: 0 when nothing failed, 1 otherwise.

Examples:
  wgemm verify
  wgemm verify --kernels tiled_TILE32_ROWS4,vec4 --shapes 17x33x5,64x64x64 --orders all
  wgemm verify --random 20 --seed 7 --limits minimum --json verdicts.json
  wgemm verify --fuzz 1000 --seed 7 --kernels tiled,vec4)";

/// Where kernels go wrong: one element, one off a tile, primes, one row or column, one k, whole tiles.
const std::vector<std::string> kShapes{"1x1x1",   "17x33x5",  "64x64x64", "65x31x130",
                                       "1x97x64", "127x1x33", "40x48x1"};
const std::vector<std::string> kOrders{"rrr", "rrc", "rcr", "rcc", "crr", "crc", "ccr", "ccc"};
constexpr std::uint64_t kLargestRandom = 200;

Result<std::vector<std::string>> kernels_to_judge(const VerifyOptions& typed, const DeviceProfile& profile) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const auto& word : typed.kernels) {
    if (word == "all") {
      for (const auto& rung : list_rungs()) add(rung_kernel(rung, profile).kernel);
      continue;
    }
    const auto name = find_kernel("--kernels", word);
    if (!name) return tl::unexpected(name.error());
    add(*name);
  }
  return names;
}

std::vector<Problem> shapes_to_judge(const VerifyOptions& typed) {
  std::vector<Problem> shapes;
  if (typed.random == 0) {
    for (const auto& text : typed.shapes.empty() ? kShapes : typed.shapes) {
      if (const auto shape = parse_shape(text)) shapes.push_back(*shape);
    }
    return shapes;
  }
  std::mt19937_64 random(typed.seed);
  while (shapes.size() < typed.random) {
    auto& shape = shapes.emplace_back();
    for (auto* size : {&shape.m, &shape.n, &shape.k}) *size = 1 + random() % kLargestRandom;
  }
  return shapes;
}

std::vector<Case> cases_to_judge(const VerifyOptions& typed, const std::vector<std::string>& kernels) {
  const bool all_orders = std::ranges::find(typed.orders, "all") != typed.orders.end();
  std::vector<Case> cases;
  for (const auto& kernel : kernels) {
    for (const auto& shape : shapes_to_judge(typed)) {
      for (const auto& orders : all_orders ? kOrders : typed.orders) {
        auto& each = cases.emplace_back(Case{kernel, orders, shape});
        set_orders(each.problem, orders);
        each.problem.a.type = each.problem.b.type = typed.type == "f16" ? DataType::f16 : DataType::f32;
      }
    }
  }
  return cases;
}

Json report_head(const DeviceProfile& profile, const Invocation& invocation) {
  return {{"version", 1},
          {"wgemm", WGEMM_VERSION},
          {"command", fmt::format("{}", fmt::join(invocation, " "))},
          {"adapter", profile.name},
          {"adapter_type", to_string(profile.type)},
          {"backend", profile.backend},
          {"driver", profile.driver},
          {"library", profile.library}};
}

Result<void> write_report(const VerifyOptions& typed, Json json, const Json& results) {
  if (typed.reports.json.empty()) return {};
  json.update(results);
  const auto text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return write_text("--json", typed.reports.json, text);
}

/// The typed kernels as the fuzzer takes them: a family is all its small configurations.
Result<FuzzRun> fuzz_run(const VerifyOptions& typed) {
  FuzzRun run{typed.fuzz, typed.replay, typed.seed, {}, typed.device.typed()};
  const auto families = list_kernels();
  for (const auto& word : typed.kernels) {
    if (word == "all") continue;
    if (std::ranges::find(families, word, &KernelInfo::name) == families.end()) {
      if (const auto name = find_kernel("--kernels", word); !name) return tl::unexpected(name.error());
    }
    run.kernels.push_back(word);
  }
  if (!run.kernels.empty()) run.options += fmt::format(" --kernels {}", fmt::join(run.kernels, ","));
  return run;
}

void name_device(const Context& context, Terminal& terminal) {
  terminal.line("on " + in_words(context.profile()));
}

int run_drawn(const VerifyOptions& typed, const Invocation& invocation, Context& context,
              Terminal& terminal) {
  const auto run = fuzz_run(typed);
  if (!run) return report(run.error());
  name_device(context, terminal);
  const auto result = run_fuzz(context, *run, terminal);
  if (!result) return report(result.error());
  if (auto done = write_report(typed, report_head(context.profile(), invocation), result->json); !done) {
    return report(done.error());
  }
  return result->ok ? kOk : kFailure;
}

int run_cases(const VerifyOptions& typed, const Invocation& invocation, Context& context,
              Terminal& terminal) {
  const auto kernels = kernels_to_judge(typed, context.profile());
  if (!kernels) return report(kernels.error());
  name_device(context, terminal);
  const auto edges = typed.edges == "padded" ? EdgePolicy::padded : EdgePolicy::checked;
  Verification verification(context, terminal, {edges, typed.seed, typed.device.typed()});
  const auto ran = verification.run(cases_to_judge(typed, *kernels));
  const auto& count = verification.count();
  terminal.line(
      fmt::format("{} passed, {} failed, {} unsupported", count.passed, count.failed, count.unsupported));
  const Json results{{"passed", count.passed},
                     {"failed", count.failed},
                     {"unsupported", count.unsupported},
                     {"verdicts", verification.verdicts()}};
  if (auto done = write_report(typed, report_head(context.profile(), invocation), results); !done) {
    return report(done.error());
  }
  if (!ran) return report(ran.error());
  return count.failed == 0 ? kOk : kFailure;
}

int run_verify(const VerifyOptions& typed, const Invocation& invocation) {
  if (auto done = typed.reports.check(); !done) return report(done.error());
  auto options = typed.device.context();
  options.pipeline_cache = "off";  // thousands of texts that nobody wants again
  auto context = Context::create(options);
  if (!context) return report(context.error());
  Terminal terminal(typed.reports.stream());
  const bool drawn = typed.fuzz != 0 || !typed.replay.empty();
  return drawn ? run_drawn(typed, invocation, *context, terminal)
               : run_cases(typed, invocation, *context, terminal);
}

}  // namespace

Command add_verify(CLI::App& program) {
  auto typed = std::make_shared<VerifyOptions>();
  auto* app =
      program.add_subcommand("verify", "Check kernels against a reference, on many shapes and orders");
  app->footer(kFooter);
  app->add_option(
         "--kernels", typed->kernels,
         "Kernels or rungs by name, separated by commas, see `wgemm emit --list`. Default: all, which is "
         "every rung of the ladder")
      ->delimiter(',')
      ->type_name("NAMES");
  auto* shapes =
      app->add_option("--shapes", typed->shapes,
                      "m x n x k, separated by commas: 17x33x5,64x64x64. Default: shapes where kernels "
                      "go wrong")
          ->delimiter(',')
          ->check(shape_check())
          ->type_name("SHAPES");
  auto* random = app->add_option("--random", typed->random,
                                 "That many random shapes up to 200x200x200 instead, from --seed")
                     ->check(whole_number(1, 1000000))
                     ->excludes(shapes)
                     ->type_name("N");
  auto* fuzz =
      app->add_option("--fuzz", typed->fuzz,
                      "That many problems drawn from all that can be multiplied instead, from --seed: types, "
                      "orders, transposes, batches, epilogues, splits, forced limits")
          ->check(whole_number(1, 100000000))
          ->excludes(shapes)
          ->excludes(random)
          ->type_name("N");
  app->add_option("--replay", typed->replay, "One problem of --fuzz again, by the name that a failure has")
      ->excludes(shapes)
      ->excludes(random)
      ->excludes(fuzz)
      ->type_name("NAME");
  app->add_option(
         "--orders", typed->orders,
         "Orders of A, B and C, a letter each (r for rows, c for columns), separated by commas, or all. "
         "Default: rrr")
      ->delimiter(',')
      ->check(orders_check(true))
      ->type_name("ORDERS");
  add_choice(*app, "--type", typed->type, {"f32", "f16"},
             "Type of the elements of A and B; C is f32. Default: f32");
  add_choice(*app, "--edges", typed->edges, {"checked", "padded"},
             "checked: kernels guard their loads and stores; padded: operands are copied into whole tiles. "
             "Default: checked");
  app->add_option("--seed", typed->seed, "Seed of inputs and random shapes. Default: 1")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  typed->device.add_to(*app);
  typed->reports.add_json_to(*app);
  return {app, [typed](const Invocation& invocation) { return run_verify(*typed, invocation); }};
}

}  // namespace wgemm::cli
