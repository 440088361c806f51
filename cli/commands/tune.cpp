// wgemm tune: searches for the fastest kernels of this device, and keeps what it finds for every later
// product.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "bench/product.hpp"
#include "bench/suites.hpp"
#include "cli/commands/command.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/tuning_data.hpp"
#include "cli/commands/tuning_view.hpp"
#include "cli/report/figures.hpp"
#include "tune/planners_worth.hpp"
#include "tune/random_shapes.hpp"
#include "tune/tune.hpp"
#include "wgemm/tuning_file.hpp"

namespace wgemm::cli {
namespace {

struct TuneOptions {
  DeviceOptions device;
  std::vector<std::string> shapes;
  std::vector<std::string> types{"f32"};
  std::vector<std::string> layouts{"rrr"};
  std::vector<std::string> suites;
  std::uint64_t random = 0;
  std::uint64_t budget = 60;
  bool software = false;
  bool fresh = false;
  std::string shaders = "checked";
  std::uint64_t seed = 1;
  std::string database;
  bool show = false;
  std::string exported;
  std::string imported;
  std::vector<std::string> merged;
};

constexpr auto kFooter =
    R"(Each candidate's result is checked against a reference before its time counts. What was found is kept after each
problem, and every trial as soon as it is done: stop with Ctrl-C, and the same command goes on from there.

Products go by the user's file wherever they name no kernel; `wgemm run`, `wgemm ladder` and applications alike.

Exit code: 0 when every problem has a choice; 1 otherwise; 2 for a wrong command line.

Examples:
  wgemm tune --budget 600
  wgemm tune 1024x1024x1024 1x4096x4096 --types f32,f16 --layouts rrr,rcr --budget 120
  wgemm tune --suite llm --types f16,int4 --budget 600
  wgemm tune --show
  wgemm tune --export mine.json
  wgemm tune --merge theirs.json others.json)";

constexpr std::string_view kHardwareShapes[] = {"256x256x256",    "512x512x512",    "1024x1024x1024",
                                                "2048x2048x2048", "4096x4096x4096", "1x4096x4096",
                                                "4096x1x4096",    "16x4096x4096",   "128x4096x4096"};
constexpr std::string_view kSoftwareShapes[] = {"64x64x64", "128x128x128", "256x256x256", "1x1024x1024"};

/// Set by a signal.
volatile std::sig_atomic_t interrupted = 0;

extern "C" void interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);  // the second one ends the process
}

/// Without their types.
std::vector<bench::Product> products_of(const TuneOptions& typed, const DeviceProfile& profile) {
  std::vector<bench::Product> products;
  for (const auto& name : typed.suites) {
    const auto suite = bench::suite_products(name).value_or(std::vector<bench::Product>{});
    products.insert(products.end(), suite.begin(), suite.end());
  }
  if (!products.empty()) return products;
  std::vector<Problem> shapes;
  const auto add = [&](const auto& texts) {
    for (const auto& text : texts) shapes.push_back(parse_shape(text).value_or(Problem{}));
  };
  if (typed.random > 0) {
    shapes = tune::random_shapes(typed.random, typed.seed);
  } else if (!typed.shapes.empty()) {
    add(typed.shapes);
  } else if (profile.type == AdapterType::software) {
    add(kSoftwareShapes);
  } else {
    add(kHardwareShapes);
  }
  products.reserve(shapes.size());
  for (const auto& shape : shapes) products.push_back({.m = shape.m, .n = shape.n, .k = shape.k});
  return products;
}

/// Each once. A suite says how its operands lie.
std::vector<Problem> problems_of(const TuneOptions& typed, const DeviceProfile& profile) {
  std::vector<Problem> problems;
  std::set<std::string> seen;
  const auto products = products_of(typed, profile);
  for (const auto& types : typed.types) {
    for (const auto& layout : typed.layouts) {
      for (auto product : products) {
        product.types = types;
        auto problem = bench::problem_of(product).value_or(Problem{});
        if (product.suite.empty()) set_orders(problem, layout);
        if (seen.insert(describe(problem)).second) problems.push_back(problem);
      }
    }
  }
  return problems;
}

/// Beside the database: "tuning-trials.jsonl".
std::string journal_of(const std::string& database) {
  auto path = std::filesystem::path(database);
  path.replace_extension();
  return path.string() + "-trials.jsonl";
}

/// What a search that is cut short must not replace by something slower: the file's choices, and those that
/// contexts go by once the file has none.
Result<TuningData> known_choices(const std::string& database) {
  auto known = load_or_empty(database);
  if (known && database == tuning_file()) {
    const auto& shipped = shipped_tuning().entries;
    known->entries.insert(known->entries.end(), shipped.begin(), shipped.end());
  }
  return known;
}

std::size_t count_chosen(const tune::Report& report) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.problems, [](const tune::ProblemReport& each) { return each.found.best.has_value(); }));
}

/// The last lines: what the planner's own choices are worth, and how many problems have a choice.
void summarize(Terminal& terminal, const tune::Report& report, std::size_t problems,
               const std::string& files) {
  const auto worth = tune::planners_worth(report.problems);
  terminal.line(fmt::format(
      "the planner's own choice is within {:.0f} % of the fastest for {} of {} problems ({} left out: fewer "
      "than {} "
      "candidates were measured right)",
      (tune::kClose - 1) * 100, worth.close, worth.judged, problems - worth.judged, tune::kEnoughMeasured));
  if (const auto remain = std::ranges::count_if(report.problems, &tune::ProblemReport::remains); remain > 0) {
    terminal.line(fmt::format(
        "for {} of {} problems the search was cut short, and the faster choice from before remains", remain,
        problems));
  }
  terminal.line(fmt::format("{}{} of {} problems have a choice in {}", report.stopped ? "stopped: " : "",
                            count_chosen(report), problems, files));
}

int run_search(const TuneOptions& typed, const std::string& database, Terminal& terminal) {
  // Before hours of work: a damaged file would refuse what they find.
  if (const auto held = load_or_empty(database); !held) return report(held.error());
  auto device = typed.device.context();
  device.unchecked_shaders = typed.shaders == "unchecked";
  device.tuning = std::make_shared<TuningData>();
  auto context = Context::create(device);
  if (!context) return report(context.error());
  const auto& profile = context->profile();
  tune::Options options;
  options.problems = problems_of(typed, profile);
  options.budget_seconds = static_cast<double>(typed.budget);
  options.software = typed.software;
  options.fresh = typed.fresh;
  options.journal = journal_of(database);
  options.tool = "wgemm " WGEMM_VERSION;
  options.seed = typed.seed;
  options.known = [&] { return known_choices(database); };
  options.stopped = [] { return interrupted != 0; };
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);

  TuningView view(terminal, options.problems.size(),
                  fmt::format("on {}, {} s", in_words(profile), typed.budget));
  const tune::Observer observer{
      .begun = [&](const Problem& problem, std::size_t index) { view.begin(problem, index); },
      .progress = [&](const tune::Trial& trial, std::string_view activity,
                      double fraction) { view.show_progress(trial, activity, fraction); },
      .finished = [&](const tune::Trial& trial, const tune::Trial* best) { view.add(trial, best); },
      .ended = [&](const tune::Found& found) { view.end(found); },
      .keep = [&](const TuningEntry& entry) { return add_to_file(database, TuningData{{entry}}); }};
  const auto tuned = tune::tune(*context, options, observer);
  terminal.clear_status();
  if (!tuned && tuned.error().argument == "software") {
    return report_usage(tuned.error().message + "; --software tunes it all the same");
  }
  if (!tuned) return report(tuned.error());
  summarize(terminal, *tuned, options.problems.size(),
            fmt::format("{}; every trial is in {}", database, options.journal));
  return count_chosen(*tuned) == options.problems.size() ? kOk : kFailure;
}

int run_tune(const TuneOptions& typed) {
  const auto database = typed.database.empty() ? tuning_file() : typed.database;
  if (database.empty()) {
    return report_usage(
        "there is no cache folder: neither XDG_CACHE_HOME nor HOME is set; name a file with --database");
  }
  Terminal terminal(stdout);
  if (typed.show) {
    const auto data = load_or_empty(database);
    if (!data) return report(data.error());
    show(terminal, *data, database);
    show(terminal, shipped_tuning(), "shipped");
    return kOk;
  }
  std::optional<Result<void>> done;
  if (!typed.exported.empty()) done = export_file(database, typed.exported);
  if (!typed.imported.empty()) done = import_file(database, typed.imported);
  if (!typed.merged.empty()) done = merge_files(database, typed.merged);
  if (!done) return run_search(typed, database, terminal);
  return *done ? kOk : report(done->error());
}

}  // namespace

Command add_tune(CLI::App& program) {
  auto typed = std::make_shared<TuneOptions>();
  auto* app = program.add_subcommand("tune", "Find the fastest kernels of this device, and keep them");
  app->footer(kFooter);
  auto* shapes =
      app->add_option("SHAPES", typed->shapes,
                      "Products of m x n x k: 1024x1024x1024 1x4096x4096. Default: squares and narrow ones")
          ->check(shape_check())
          ->type_name("MxNxK");
  auto* random =
      app->add_option(
             "--random", typed->random,
             "That many random shapes up to 8191x8191x8191 instead, from --seed: what the planner's own "
             "choices are worth is told at the end")
          ->check(whole_number(1, 10000))
          ->type_name("N")
          ->excludes(shapes);
  app->add_option(
         "--suite", typed->suites,
         fmt::format("The products of lists instead, separated by commas: {}; `wgemm bench` has the same",
                     fmt::join(names_of(bench::list_suites()), ", ")))
      ->delimiter(',')
      ->check(one_of(names_of(bench::list_suites())))
      ->type_name("NAMES")
      ->excludes(shapes)
      ->excludes(random);
  app->add_option("--budget", typed->budget, "Seconds that the search may take in all. Default: 60")
      ->check(whole_number(1, 1000000))
      ->type_name("SECONDS");
  app->add_option("--types", typed->types,
                  fmt::format("Types that go together, separated by commas: {}; docs/benchmark.md has what "
                              "each is. Default: f32",
                              fmt::join(names_of(bench::list_types()), ", ")))
      ->delimiter(',')
      ->check(one_of(names_of(bench::list_types())))
      ->type_name("TYPES");
  app->add_option("--layouts", typed->layouts,
                  "Orders of A, B and C, a letter each (r for rows, c for columns), separated by commas. "
                  "Default: rrr")
      ->delimiter(',')
      ->check(orders_check())
      ->type_name("ORDERS");
  app->add_flag("--software", typed->software, "Tune a software adapter, whose figures say nothing of a GPU");
  app->add_flag("--fresh", typed->fresh, "Measure again what earlier runs measured");
  add_choice(*app, "--shaders", typed->shaders, {"checked", "unchecked"},
             "With the bounds checks that the WebGPU library adds to shaders, or without them where a plan "
             "proves them needless. Default: checked");
  app->add_option("--seed", typed->seed, "Seed of the random inputs and shapes. Default: 1")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  app->add_option(
         "--database", typed->database,
         "File of the choices; what products go by is tuning.json in the user's cache folder, the default")
      ->type_name("FILE");
  constexpr auto kData = "Instead of measuring";
  std::vector<CLI::Option*> data;
  data.push_back(app->add_flag("--show", typed->show, "List the choices, the user's and the shipped ones"));
  data.push_back(
      app->add_option("--export", typed->exported, "Write the choices to FILE; - is standard output")
          ->type_name("FILE"));
  data.push_back(
      app->add_option("--import", typed->imported, "Take the choices of FILE in the place of those there are")
          ->type_name("FILE"));
  data.push_back(app->add_option("--merge", typed->merged,
                                 "Add the choices of files; of two for one problem the younger remains")
                     ->type_name("FILE..."));
  for (auto* option : data) {
    option->group(kData);
    for (auto* other : data) {
      if (other != option) option->excludes(other);
    }
  }
  typed->device.add_to(*app);
  return {app, [typed](const Invocation&) { return run_tune(*typed); }};
}

}  // namespace wgemm::cli
