#include "cli/report/bench_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/report/figures.hpp"
#include "cli/report/summary.hpp"
#include "cli/terminal/text.hpp"

namespace wgemm::cli {
namespace {

using bench::Row;
using bench::Status;

constexpr std::size_t kSizes = 22;
constexpr std::size_t kTypes = 10;
constexpr std::size_t kLayout = 2;
constexpr std::size_t kMs = 9;
constexpr std::size_t kSpread = 7;
constexpr std::size_t kRate = 13;
constexpr std::size_t kBandwidth = 10;
constexpr std::size_t kShare = 6;
constexpr std::size_t kError = 9;
constexpr std::size_t kVerdict = 7;
constexpr std::size_t kIndent = 2;
static_assert(kSizes + 1 + kTypes + 1 + kLayout + 1 + kMs + 1 + kMs + 1 + kSpread + 1 + kRate + 1 +
                      kBandwidth + 1 + kShare + 1 + kError + 2 + kVerdict <=
                  120,
              "the table fits a terminal of 120 columns");

std::string head_of(const Row& row) {
  return fmt::format("{} {} {}", left(bench::sizes_of(row.product), kSizes), left(row.product.types, kTypes),
                     left(row.product.layout, kLayout));
}

std::string figures_of(const Row& row) {
  const auto& time = row.time;
  const auto known = [](const auto& value, const auto& text) { return value ? text(*value) : std::string(); };
  const auto error = known(row.error_over_bound, [](double value) { return fmt::format("{:.2g}", value); });
  return fmt::format(
      "{} {} {} {} {} {} {}", right(time ? digits(time->ms) : "", kMs),
      right(time ? digits(time->minimum_ms) : "", kMs), right(spread_of(time), kSpread),
      right(known(row.gflops, [](double gflops) { return rate(gflops * 1e9); }), kRate),
      right(known(row.gigabytes_per_second, [](double gigabytes) { return bandwidth(gigabytes * 1e9); }),
            kBandwidth),
      right(known(row.roofline_share, percent), kShare), right(error, kError));
}

std::string column_heads() {
  return fmt::format("{} {} {} {} {} {} {} {} {} {}  {}", left("m x n x k", kSizes), left("types", kTypes),
                     left("", kLayout), right("ms", kMs), right("min", kMs), right("spread", kSpread),
                     right("rate", kRate), right("bytes", kBandwidth), right("roof", kShare),
                     right("err/bound", kError), "verdict");
}

/// How the row was run, and what a reader should know of it.
std::string remarks_of(const Row& row) {
  std::string text = row.product.label;
  const auto add = [&](std::string_view words) {
    if (words.empty()) return;
    if (!text.empty()) text += " · ";
    text += words;
  };
  add(row.kernel);
  // A row that was not run has the parts that were asked for.
  const auto parts = row.steps == 0 && row.split_k <= 1 ? row.wanted_split : row.split_k;
  if (parts > 1 || row.wanted_split != 0) add(fmt::format("k in {} part{}", parts, parts == 1 ? "" : "s"));
  if (row.prepared) add("B prepared");
  if (row.copies_ms) add(fmt::format("{} ms of it are copies and sums", digits(*row.copies_ms)));
  if (row.time && row.time->source == TimingSource::host_clock) add("host's clock");
  add(row.note);
  return text;
}

std::string in_words(Status status) {
  auto text = std::string(to_string(status));
  std::ranges::replace(text, '_', ' ');
  return text;
}

}  // namespace

void BenchTable::begin(const bench::Report& report) {
  print_headline(terminal_, "products", report);
  terminal_.line();
  terminal_.line(terminal_.paint(Colour::dim, column_heads()));
}

void BenchTable::show_progress(const Row& row, double done, std::string_view activity) {
  terminal_.status(row.product.m == 0 ? std::string() : head_of(row), done, activity);
}

void BenchTable::add(const Row& row) {
  if (row.product.suite != suite_) {
    suite_ = row.product.suite;
    terminal_.line(terminal_.paint(Colour::bold, suite_.empty() ? "sizes given" : suite_));
  }
  if (row.wanted_unchecked && !unchecked_) {
    unchecked_ = true;
    terminal_.line(terminal_.paint(
        Colour::dim, "without the bounds checks of the WebGPU library, where a plan proves them needless:"));
  }
  const bool good = row.status == Status::ok;
  if (good || row.status == Status::wrong) {
    const auto verdict = terminal_.paint(good ? Colour::green : Colour::red, good ? "ok" : "WRONG");
    terminal_.line(fmt::format("{} {}  {}", head_of(row), figures_of(row), verdict));
  } else {
    const bool harmless = row.status == Status::unsupported || row.status == Status::not_run;
    terminal_.line(
        fmt::format("{} {}", head_of(row),
                    terminal_.paint(harmless ? Colour::yellow : Colour::red, in_words(row.status))));
  }
  print_below(remarks_of(row), Colour::dim);
  if (!good) print_below(row.reason, row.status == Status::wrong ? Colour::red : Colour::yellow);
  if (reproduction_) print_below(reproduction_(row), Colour::dim);
}

void BenchTable::print_below(std::string_view text, Colour colour) {
  for (const auto& line : wrap(text, static_cast<std::size_t>(terminal_.width()) - kIndent)) {
    terminal_.line(std::string(kIndent, ' ') + terminal_.paint(colour, line));
  }
}

void BenchTable::end(const bench::Report& report) {
  constexpr std::array kStatuses{Status::ok,     Status::wrong,       Status::unsupported,
                                 Status::failed, Status::device_lost, Status::not_run};
  std::string counts;
  for (const auto status : kStatuses) {
    const auto count = std::ranges::count(report.rows, status, &Row::status);
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, in_words(status));
  }
  terminal_.line();
  terminal_.line(fmt::format("{} row{}: {}", report.rows.size(), report.rows.size() == 1 ? "" : "s", counts));
  print_conditions(terminal_, report);
}

void print_list(Terminal& terminal, const std::vector<Row>& rows) {
  for (const auto& row : rows) {
    auto line = fmt::format("{} {}", head_of(row), remarks_of(row));
    line.erase(line.find_last_not_of(' ') + 1);
    terminal.line(line);
  }
}

}  // namespace wgemm::cli
