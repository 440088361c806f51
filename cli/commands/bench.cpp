// wgemm bench: products of any sizes, types and layouts, judged, timed, and compared with earlier runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "cli/commands/bench_options.hpp"
#include "cli/commands/command.hpp"
#include "cli/files/new_file.hpp"
#include "cli/report/assets.hpp"
#include "cli/report/bench_json.hpp"
#include "cli/report/bench_table.hpp"
#include "cli/report/comparison.hpp"
#include "cli/report/csv.hpp"
#include "cli/report/earlier.hpp"
#include "cli/report/html.hpp"
#include "cli/report/json.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kSize = 4096;
constexpr std::uint64_t kSoftwareSize = 256;

constexpr auto kFooter = R"(Columns of the table:
  ms, min    median and shortest time of one product; spread is its interquartile range over the median
             (a ~ before it: more than wanted, or too few samples)
  rate       2mnk operations over the time;  bytes: each element of A, B and C moved once, over the time
  roof       share of the roofline, which is measured: the peak of f32 multiply-adds and the copy bandwidth;
             for other types than f32 only where bandwidth is the limit
  err/bound  largest error against a float64 reference, over its componentwise bound; right is at most 1
  verdict    ok: within the bound, and equal on small integers; where not all rows of C are compared with a
             reference, an identity of random vectors takes in all of them
What a plan does to its operands (copies, padding, sums of parts of k) is in the time; --prepared shows a row
more without what is done to B.

Exit code: 0 when no row is wrong, failed or lost; 1 otherwise; 2 for a wrong command line.

Examples:
  wgemm bench
  wgemm bench 512,1024,1x4096x4096 --types f32,f16
  wgemm bench --m 64:192:64 --n 96 --k 33,128 --layouts nn,nt --kernels auto,tiled
  wgemm bench --suite llm,skinny --types f16 --shaders unchecked --json h200.json --html h200.html
  wgemm bench --suite squares --compare h200.json
  wgemm bench --from h200.json --compare peer.json --html h200.html
  wgemm bench --suite squares --list --json rows.json; python3 bench/peers/openblas.py rows.json -o peer.json)";

/// Where nothing was asked for.
std::vector<bench::Product> default_products(bool software) {
  const auto size = software ? kSoftwareSize : kSize;
  return {{size, size, size}};
}

/// The rows on a device. Errors: invalid_argument (a suite without consent on a software adapter).
Result<std::vector<bench::Row>> rows_on(const BenchOptions& typed,
                                        const std::vector<bench::Product>& products,
                                        const DeviceProfile& profile) {
  const bool software = profile.type == AdapterType::software;
  if (software && !typed.suites.empty() && !typed.software) {
    return fail(ErrorCode::invalid_argument, "--suite",
                fmt::format("--suite: its products are made for GPUs, and {} is a software adapter: hours; "
                            "give sizes of your own, or --software for the suite all the same",
                            profile.name));
  }
  return typed.rows(products.empty() ? default_products(software) : products);
}

Json report_json(const BenchOptions& typed, const bench::Report& report, const std::string& command) {
  auto json = to_json(static_cast<const bench::Session&>(report), command);
  json["status"] = report.good() ? "ok" : "failed";
  auto rows = Json::array();
  for (const auto& row : report.rows) rows.push_back(to_json(row, typed.reproduction(row)));
  json["rows"] = std::move(rows);
  return json;
}

Result<void> write_reports(const ReportOptions& reports, const Json& json) {
  if (!reports.json.empty()) {
    if (auto done = write_text("--json", reports.json, dump(json, 2) + "\n"); !done) return done;
  }
  if (!reports.csv.empty()) {
    const auto text = to_csv(json["rows"].get<std::vector<Json>>(), shared_columns(json));
    if (auto done = write_text("--csv", reports.csv, text); !done) return done;
  }
  if (reports.html.empty()) return {};
  return write_text("--html", reports.html, to_html("wgemm bench", json, assets::bench_js()));
}

/// Compares where that was asked for, and writes the reports; gives the exit code.
int finish(const BenchOptions& typed, Terminal& terminal, Json json, const std::vector<bench::Row>& rows,
           const std::optional<Earlier>& earlier) {
  if (earlier) {
    add_comparison(json, rows, *earlier);
    print_comparison(terminal, json);
  }
  if (auto done = write_reports(typed.reports, json); !done) return report(done.error());
  return json["status"] == "ok" ? kOk : kFailure;
}

/// Errors: of read_earlier; invalid_argument (a peer's file, or one that lacks what a report has).
Result<Earlier> read_own(const std::string& path) {
  auto own = read_earlier(path);
  if (!own) return own;
  constexpr std::array kWanted{"/wgemm",
                               "/command",
                               "/seed",
                               "/status",
                               "/conditions/adapter",
                               "/conditions/driver",
                               "/conditions/library",
                               "/conditions/library_version",
                               "/conditions/date",
                               "/roofline/empty_dispatch_ms"};
  for (const std::string key : kWanted) {
    if (own->json.contains(Json::json_pointer(key))) continue;
    return fail(ErrorCode::invalid_argument, path,
                fmt::format("'{}' has no '{}'; --from wants what `wgemm bench --json FILE` wrote", path,
                            key.substr(1)));
  }
  return own;
}

int list_rows(const BenchOptions& typed, const std::vector<bench::Product>& products,
              const std::string& command) {
  const auto rows = typed.rows(products.empty() ? default_products(false) : products);
  if (!rows) return report(rows.error());
  Terminal terminal(typed.reports.stream());
  print_list(terminal, *rows);
  if (typed.reports.json.empty()) return kOk;
  const auto text = dump(list_json(*rows, command), 2) + "\n";
  if (auto done = write_text("--json", typed.reports.json, text); !done) return report(done.error());
  return kOk;
}

bench::Options run_options(const BenchOptions& typed, const std::vector<bench::Product>& products) {
  bench::Options options;
  options.device = typed.device.context();
  options.device.pipeline_cache = "off";  // what compiling costs is part of the report
  if (typed.shaders == "unchecked") options.shaders = bench::Shaders::unchecked;
  if (typed.shaders == "both") options.shaders = bench::Shaders::both;
  options.rows = [&](const DeviceProfile& profile) { return rows_on(typed, products, profile); };
  options.seed = typed.seed;
  options.budget_seconds = typed.budget;
  options.passes = typed.passes;
  return options;
}

int run_bench(const BenchOptions& typed, const Invocation& invocation) {
  const auto command = fmt::format("{}", fmt::join(invocation, " "));
  const auto products = typed.products();
  if (!products) return report(products.error());
  if (const auto varied = typed.variations(); !varied) return report(varied.error());
  if (auto done = typed.reports.check(); !done) return report(done.error());
  if (!typed.from.empty() && (typed.list || !products->empty()))
    return report_usage("--from has its rows from a file: it goes without sizes, suites and --list");
  if (typed.list && !(typed.reports.csv + typed.reports.html + typed.compare).empty())
    return report_usage("--list runs nothing: it goes with --json, not with --csv, --html or --compare");
  if (typed.list) return list_rows(typed, *products, command);
  if (!typed.reports.html.empty()) {
    if (auto done = check_html(); !done) return report(done.error());
  }
  std::optional<Earlier> earlier;
  if (!typed.compare.empty()) {
    auto read = read_earlier(typed.compare);
    if (!read) return report(read.error());
    earlier = std::move(*read);
  }
  Terminal terminal(typed.reports.stream());
  if (!typed.from.empty()) {
    const auto own = read_own(typed.from);
    return own ? finish(typed, terminal, own->json, own->rows, earlier) : report(own.error());
  }
  BenchTable table(terminal, typed.commands ? [&](const bench::Row& row) { return typed.reproduction(row); }
                                            : std::function<std::string(const bench::Row&)>());
  const bench::Observer observer{.started = [&](const bench::Report& started) { table.begin(started); },
                                 .progress = [&](const bench::Row& row, std::string_view activity,
                                                 double done) { table.show_progress(row, done, activity); },
                                 .finished = [&](const bench::Row& row) { table.add(row); }};
  const auto ran = bench::run(run_options(typed, *products), observer);
  terminal.clear_status();
  if (!ran) return report(ran.error());
  table.end(*ran);
  return finish(typed, terminal, report_json(typed, *ran, command), ran->rows, earlier);
}

}  // namespace

Command add_bench(CLI::App& program) {
  auto typed = std::make_shared<BenchOptions>();
  auto* app = program.add_subcommand("bench", "Measure products of any sizes, types and layouts");
  app->footer(kFooter);
  typed->add_to(*app);
  return {app, [typed](const Invocation& invocation) { return run_bench(*typed, invocation); }};
}

}  // namespace wgemm::cli
