// wgemm ladder: climbs the ladder, shows it live, and writes reports.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <map>
#include <memory>

#include "cli/commands/command.hpp"
#include "cli/commands/options.hpp"
#include "cli/files/new_file.hpp"
#include "cli/report/assets.hpp"
#include "cli/report/bars.hpp"
#include "cli/report/csv.hpp"
#include "cli/report/html.hpp"
#include "cli/report/json.hpp"
#include "cli/report/table.hpp"
#include "ladder/ladder.hpp"

namespace wgemm::cli {
namespace {

constexpr std::uint64_t kLargestSize =
    65536;  ///< above it a square matrix spans more elements than 32 bits count

const std::map<std::string, ladder::Padding, std::less<>> kPaddings{
    {"none", ladder::Padding::none}, {"some", ladder::Padding::some}, {"all", ladder::Padding::all}};
const std::map<std::string, ladder::Shaders, std::less<>> kShaders{{"checked", ladder::Shaders::checked},
                                                                   {"unchecked", ladder::Shaders::unchecked},
                                                                   {"both", ladder::Shaders::both}};

struct LadderOptions {
  DeviceOptions device;
  ReportOptions reports;
  std::uint64_t size = 0;
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  std::vector<std::string> rungs;
  std::string padding = "some";
  std::string shaders = "checked";
  bool sweep = false;
  std::uint64_t seed = 1;
};

constexpr auto kFooter = R"(Columns of the table:
  ms         median time of one product; spread is its interquartile range
             (a ~ before it: more than wanted, or too few samples)
  ×prev      speed-up over the f32 rung before; ×naive: over the first rung
  roof       share of the roofline: of what the device could reach on this product, the smaller of its peak
             (fused multiply-adds, measured) and its copy bandwidth (measured) times the product's best
             arithmetic intensity, 2mnk operations over each element of A, B and C moved once
  err/bound  largest error against a float64 reference, over its componentwise bound; right is at most 1
  verdict    ok: within the bound, and equal, element by element, on small integers
A rung on f16 matrix units multiplies inputs that were rounded to f16 and is judged against those.

Exit code: 0 when no rung is wrong, failed or lost; 1 otherwise; 2 for a wrong command line.

Examples:
  wgemm ladder
  wgemm ladder --size 2048 --webgpu wgpu --html ladder.html
  wgemm ladder --m 1000 --n 37 --k 511 --padding all
  wgemm ladder --shaders both --json - > ladder.json
  wgemm ladder --sweep --html sweep.html)";

ladder::Options ladder_options(const LadderOptions& typed) {
  ladder::Options options;
  options.device = typed.device.context();
  options.device.pipeline_cache = "off";  // what compiling costs is part of the report
  options.m = typed.size != 0 ? typed.size : typed.m;
  options.n = typed.size != 0 ? typed.size : typed.n;
  options.k = typed.size != 0 ? typed.size : typed.k;
  options.only = typed.rungs;
  options.padding = kPaddings.at(typed.padding);
  options.shaders = kShaders.at(typed.shaders);
  options.sweep = typed.sweep;
  options.seed = typed.seed;
  return options;
}

Result<void> write_reports(const ReportOptions& reports, const ladder::Report& report,
                           const std::string& command) {
  if (!reports.json.empty()) {
    const auto text = dump(to_json(report, command), 2) + "\n";
    if (auto done = write_text("--json", reports.json, text); !done) return done;
  }
  if (!reports.csv.empty()) {
    if (auto done = write_text("--csv", reports.csv, to_csv(report)); !done) return done;
  }
  if (reports.html.empty()) return {};
  const auto page = to_html("wgemm ladder", to_json(report, command), assets::ladder_js());
  return write_text("--html", reports.html, page);
}

/// `View` shows rows as they come: a table, or the bars of a sweep.
template <typename View>
Result<ladder::Report> climb(const ladder::Options& options, Terminal& terminal) {
  View view(terminal);
  const ladder::Observer observer{
      .started = [&](const ladder::Report& report) { view.begin(report); },
      .progress = [&](const ladder::Row& row, std::string_view activity,
                      double fraction) { view.show_progress(row, fraction, activity); },
      .finished = [&](const ladder::Row& row) { view.add(row); }};
  auto report = ladder::climb(options, observer);
  terminal.clear_status();
  if (report) view.end(*report);
  return report;
}

int run_ladder(const LadderOptions& typed, const Invocation& invocation) {
  const int given = (typed.m != 0 ? 1 : 0) + (typed.n != 0 ? 1 : 0) + (typed.k != 0 ? 1 : 0);
  if (given == 1 || given == 2)
    return report_usage("--m, --n and --k go together: give all three, or --size");
  if (auto done = typed.reports.check(); !done) return report(done.error());
  if (!typed.reports.html.empty()) {
    if (auto done = check_html(); !done) return report(done.error());
  }
  Terminal terminal(typed.reports.stream());
  const auto options = ladder_options(typed);
  const auto climbed = typed.sweep ? climb<SweepBars>(options, terminal) : climb<Table>(options, terminal);
  if (!climbed && climbed.error().argument == "rungs")
    return report_usage("--rungs: " + climbed.error().message);
  if (!climbed) return report(climbed.error());
  if (auto done = write_reports(typed.reports, *climbed, fmt::format("{}", fmt::join(invocation, " ")));
      !done) {
    return report(done.error());
  }
  return climbed->good() ? kOk : kFailure;
}

}  // namespace

Command add_ladder(CLI::App& program) {
  auto typed = std::make_shared<LadderOptions>();
  auto* app =
      program.add_subcommand("ladder", "Climb the ladder of kernels: each one checked, timed and explained");
  app->footer(kFooter);
  const auto size = whole_number(1, kLargestSize);
  auto* edge =
      app->add_option("--size,SIZE", typed->size,
                      "Multiply square matrices of N x N. Default: 4096 on a GPU, less on a slow one, 256 on "
                      "a software adapter")
          ->check(size)
          ->type_name("N");
  const auto any = whole_number(1, std::numeric_limits<std::uint32_t>::max());
  auto* m =
      app->add_option("--m", typed->m, "Rows of A and C; with --n and --k instead of --size")->check(any);
  auto* n = app->add_option("--n", typed->n, "Columns of B and C; with --m and --k")->check(any);
  auto* k = app->add_option("--k", typed->k, "Columns of A, rows of B; with --m and --n")->check(any);
  for (auto* option : {m, n, k}) option->excludes(edge)->type_name("N");
  app->add_option("--rungs", typed->rungs,
                  "Only these rungs (and cpu, blas), or their sweeps, by name, separated by commas")
      ->delimiter(',')
      ->type_name("NAMES");
  add_choice(
      *app, "--padding", typed->padding, {"none", "some", "all"},
      "Zero padding to whole tiles instead of bounds checks, its copies timed: a second row for none of the "
      "rungs, some (the 16x16 tile and the last), or all that have tiles. Default: some");
  add_choice(
      *app, "--shaders", typed->shaders, {"checked", "unchecked", "both"},
      "With the bounds checks that the WebGPU library adds to shaders, without them where a plan proves them "
      "needless, or both in turn. Default: checked");
  app->add_flag(
      "--sweep", typed->sweep,
      "Instead of the rungs, compare the configurations of some: workgroup shape and size, tile, outputs a "
      "thread");
  app->add_option("--seed", typed->seed, "Seed of the random inputs. Default: 1")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  typed->device.add_to(*app);
  typed->reports.add_all_to(*app);
  return {app, [typed](const Invocation& invocation) { return run_ladder(*typed, invocation); }};
}

}  // namespace wgemm::cli
