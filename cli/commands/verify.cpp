// wgemm verify: all kernels over many problems, each judged by its error bound and by exact integers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "cli/commands/command.hpp"
#include "cli/commands/options.hpp"
#include "cli/files/new_file.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text.hpp"
#include "verify/verify.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;

struct VerifyCommandOptions {
  DeviceOptions device;
  ReportOptions reports;
  std::vector<std::string> kernels{"all"};
  std::vector<std::string> shapes;
  std::uint64_t random = 0;
  std::vector<std::string> orders{"rrr"};
  std::string type = "f32";
  std::string edges = "checked";
  std::uint64_t seed = 1;
};

constexpr auto kFooter =
    R"(A product is right when it lies within the componentwise error bound of a float64 reference, equals the exact
result on small integers element by element, and leaves what stands behind C untouched.

Exit code: 0 when nothing failed, 1 otherwise.

Examples:
  wgemm verify
  wgemm verify --kernels tiled_TILE32_ROWS4,vec4 --shapes 17x33x5,64x64x64 --orders all
  wgemm verify --random 20 --seed 7 --limits minimum --json verdicts.json)";

/// Where kernels go wrong: one element, one off a tile, primes, one row or column, one k, whole tiles.
const std::vector<std::string> kShapes{"1x1x1",   "17x33x5",  "64x64x64", "65x31x130",
                                       "1x97x64", "127x1x33", "40x48x1"};
constexpr std::uint64_t kLargestRandom = 200;

struct Case {
  std::string kernel;
  std::string shape;
  std::string orders;
  Problem problem;
};

struct Count {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t unsupported = 0;
};

Result<std::vector<std::string>> kernel_names(const VerifyCommandOptions& typed,
                                              const DeviceProfile& profile) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& typed_name : typed.kernels) {
    if (typed_name == "all") {
      for (const auto& rung : list_rungs()) add(rung_kernel(rung, profile).kernel);
      continue;
    }
    const auto name = find_kernel("--kernels", typed_name);
    if (!name) return tl::unexpected(name.error());
    add(*name);
  }
  return names;
}

std::vector<std::string> shape_names(const VerifyCommandOptions& typed) {
  if (typed.random == 0) return typed.shapes.empty() ? kShapes : typed.shapes;
  std::vector<std::string> shapes;
  std::mt19937_64 random(typed.seed);
  const auto size = [&] { return 1 + random() % kLargestRandom; };
  while (shapes.size() < typed.random) {
    const auto m = size();
    const auto n = size();
    shapes.push_back(fmt::format("{}x{}x{}", m, n, size()));
  }
  return shapes;
}

std::vector<std::string> order_names(const VerifyCommandOptions& typed) {
  if (typed.orders != std::vector<std::string>{"all"}) return typed.orders;
  return {"rrr", "rrc", "rcr", "rcc", "crr", "crc", "ccr", "ccc"};
}

class Verification {
 public:
  Verification(const VerifyCommandOptions& typed, Context& context, Terminal& terminal)
      : typed_(typed), context_(context), terminal_(terminal) {}

  /// Errors: device_lost; what was judged before counts.
  Result<void> run(const std::vector<Case>& cases) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const auto& each = cases[i];
      terminal_.status(left(fmt::format("{}/{}", i, cases.size()), 10),
                       static_cast<double>(i) / static_cast<double>(cases.size()),
                       fmt::format("{} {} {}", each.kernel, each.shape, each.orders));
      if (auto done = judge(each); !done) return done;
    }
    return {};
  }

  [[nodiscard]] const Count& count() const { return count_; }
  [[nodiscard]] const Json& verdicts() const { return verdicts_; }

 private:
  Result<void> judge(const Case& each) {
    const auto edges = typed_.edges == "padded" ? EdgePolicy::padded : EdgePolicy::checked;
    verify::VerifyOptions options;
    options.seed = typed_.seed;
    const auto verdict =
        verify::verify(context_, each.problem, {.kernel = each.kernel, .edges = edges}, options);
    Json json{{"kernel", each.kernel}, {"shape", each.shape}, {"orders", each.orders}};
    if (!verdict) {
      const auto& error = verdict.error();
      const bool unsupported = error.code == ErrorCode::unsupported;
      json["status"] = unsupported ? "unsupported" : "failed";
      json["reason"] = error.message;
      if (unsupported) {
        ++count_.unsupported;
        // Once for a kernel, not for each shape.
        if (told_.insert(error.message).second) terminal_.line("unsupported: " + error.message);
      } else {
        fail(each, error.message);
      }
      verdicts_.push_back(json);
      const bool lost = error.code == ErrorCode::device_lost || error.code == ErrorCode::timeout;
      return lost ? Result<void>(tl::unexpected(error)) : Result<void>();
    }
    json["status"] = verdict->ok ? "ok" : "wrong";
    json["reason"] = verdict->reason;
    json["error_over_bound"] = verdict->error_over_bound;
    json["exact"] = verdict->exact;
    json["compared"] = verdict->compared;
    json["reproduce"] = reproduction(each);
    verdicts_.push_back(json);
    if (verdict->ok) {
      ++count_.passed;
    } else {
      fail(each, verdict->reason);
    }
    return {};
  }

  void fail(const Case& each, const std::string& reason) {
    ++count_.failed;
    terminal_.line(terminal_.paint(
        Colour::red, fmt::format("FAILED {} {} {}: {}", each.kernel, each.shape, each.orders, reason)));
    terminal_.line("  " + reproduction(each));
  }

  /// The command that judges this case alone.
  [[nodiscard]] std::string reproduction(const Case& each) const {
    auto command = fmt::format("wgemm verify --kernels {} --shapes {} --orders {} --seed {}", each.kernel,
                               each.shape, each.orders, typed_.seed);
    if (typed_.type != "f32") command += " --type " + typed_.type;
    if (typed_.edges != "checked") command += " --edges " + typed_.edges;
    return command + typed_.device.typed();
  }

  const VerifyCommandOptions& typed_;
  Context& context_;
  Terminal& terminal_;
  Count count_;
  Json verdicts_ = Json::array();
  std::set<std::string> told_;
};

std::vector<Case> all_cases(const VerifyCommandOptions& typed, const std::vector<std::string>& kernels) {
  std::vector<Case> cases;
  for (const auto& kernel : kernels) {
    for (const auto& shape : shape_names(typed)) {
      for (const auto& orders : order_names(typed)) {
        Case each{kernel, shape, orders, *parse_shape(shape)};
        set_orders(each.problem, orders);
        each.problem.a.type = each.problem.b.type = typed.type == "f16" ? DataType::f16 : DataType::f32;
        cases.push_back(std::move(each));
      }
    }
  }
  return cases;
}

int run_verify(const VerifyCommandOptions& typed, const Invocation& invocation) {
  if (auto done = typed.reports.check(); !done) return report(done.error());
  auto context = Context::create(typed.device.context());
  if (!context) return report(context.error());
  const auto kernels = kernel_names(typed, context->profile());
  if (!kernels) return report(kernels.error());

  Terminal terminal(typed.reports.stream());
  const auto& profile = context->profile();
  terminal.line(fmt::format("on {} ({} through {})", profile.name, profile.backend, profile.library));
  Verification verification(typed, *context, terminal);
  const auto ran = verification.run(all_cases(typed, *kernels));
  const auto& count = verification.count();
  terminal.line(
      fmt::format("{} passed, {} failed, {} unsupported", count.passed, count.failed, count.unsupported));

  if (!typed.reports.json.empty()) {
    const Json json{{"version", 1},
                    {"wgemm", WGEMM_VERSION},
                    {"command", fmt::format("{}", fmt::join(invocation, " "))},
                    {"adapter", profile.name},
                    {"driver", profile.driver},
                    {"library", profile.library},
                    {"passed", count.passed},
                    {"failed", count.failed},
                    {"unsupported", count.unsupported},
                    {"verdicts", verification.verdicts()}};
    const auto text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (auto done = write_text("--json", typed.reports.json, text); !done) return report(done.error());
  }
  if (!ran) return report(ran.error());
  return count.failed == 0 ? kOk : kFailure;
}

CLI::Validator shape_check() {
  const auto check = [](const std::string& text) {
    return parse_shape(text)
               ? std::string()
               : fmt::format("'{}' is no shape; three sizes of at least 1: 17x33x5 (m, n, k)", text);
  };
  return {check, ""};
}

}  // namespace

Command add_verify(CLI::App& program) {
  auto typed = std::make_shared<VerifyCommandOptions>();
  auto* app =
      program.add_subcommand("verify", "Check kernels against a reference, on many shapes and orders");
  app->footer(kFooter);
  app->add_option("--kernels", typed->kernels,
                  "Kernels or rungs by name, separated by commas, see `wgemm emit --list`. Default: all, "
                  "which is every "
                  "rung of the ladder")
      ->delimiter(',')
      ->type_name("NAMES");
  auto* shapes =
      app->add_option("--shapes", typed->shapes,
                      "m x n x k, separated by commas: 17x33x5,64x64x64. Default: shapes where kernels go "
                      "wrong")
          ->delimiter(',')
          ->check(shape_check())
          ->type_name("SHAPES");
  app->add_option("--random", typed->random, "That many random shapes up to 200x200x200 instead, from --seed")
      ->check(whole_number(1, 1000000))
      ->excludes(shapes)
      ->type_name("N");
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
