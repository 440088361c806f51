#include "cli/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/report/figures.hpp"
#include "cli/report/summary.hpp"
#include "cli/terminal/text.hpp"

namespace wgemm::cli {
namespace {

using ladder::Kind;
using ladder::Row;
using ladder::Status;

constexpr std::size_t kStep = 2;
constexpr std::size_t kName = 16;
constexpr std::size_t kAdds = 38;
constexpr std::size_t kMs = 7;
constexpr std::size_t kSpread = 6;
constexpr std::size_t kGflops = 7;
constexpr std::size_t kBefore = 5;
constexpr std::size_t kNaive = 6;
constexpr std::size_t kShare = 5;
constexpr std::size_t kError = 9;
constexpr std::size_t kVerdict = 7;
constexpr std::size_t kBeforeAdds = kStep + 1 + kName + 2;
constexpr std::size_t kFigures =
    kMs + 1 + kSpread + 1 + kGflops + 1 + kBefore + 1 + kNaive + 1 + kShare + 1 + kError + 2 + kVerdict;
constexpr std::size_t kWhole = kBeforeAdds + kAdds + 1 + kFigures;
static_assert(kWhole <= 120, "the table fits a terminal of 120 columns");

std::string head_of(const Row& row, std::string_view name) {
  const auto step =
      row.step > 0 && row.edges == EdgePolicy::checked ? fmt::format("{}", row.step) : std::string();
  return fmt::format("{} {}", right(step, kStep), left(name, kName));
}

std::string figures_of(const Row& row) {
  const auto ms = row.time ? (row.rows_share < 1 ? "~" : "") + digits(row.time->ms) : std::string();
  const auto error = row.error_over_bound ? fmt::format("{:.2g}", *row.error_over_bound) : std::string();
  return fmt::format("{} {} {} {} {} {} {}", right(ms, kMs), right(spread_of(row.time), kSpread),
                     right(row.gflops ? digits(*row.gflops) : "", kGflops),
                     right(factor(row.speedup_before), kBefore), right(factor(row.speedup_naive), kNaive),
                     right(row.roofline_share ? percent(*row.roofline_share) : "", kShare),
                     right(error, kError));
}

std::string column_heads(bool with_adds) {
  const auto adds = with_adds ? left("adds", kAdds) + " " : std::string();
  return fmt::format("{} {}  {}{} {} {} {} {} {} {}  {}", right("", kStep), left("rung", kName), adds,
                     right("ms", kMs), right("spread", kSpread), right("GFLOP/s", kGflops),
                     right("×prev", kBefore), right("×naive", kNaive), right("roof", kShare),
                     right("err/bound", kError), "verdict");
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// What a reader should know of a good row.
std::vector<std::string> remarks_of(const Row& row) {
  std::vector<std::string> remarks;
  if (!row.note.empty()) remarks.push_back(row.note);
  if (row.copies_ms)
    remarks.push_back(fmt::format("{} ms of it are copies of operands", digits(*row.copies_ms)));
  if (row.exact && !*row.exact) remarks.emplace_back("small integers: not exact");
  return remarks;
}

}  // namespace

std::string_view label(const Row& row) {
  return row.edges == EdgePolicy::padded ? std::string_view("  zero-padded") : std::string_view(row.name);
}

bool Table::shows_adds() const { return std::cmp_greater_equal(terminal_.width(), kWhole); }

void Table::begin(const ladder::Report& report) {
  print_headline(terminal_, sizes(report.problem), report);
  terminal_.line();
  terminal_.line(terminal_.paint(Colour::dim, column_heads(shows_adds())));
}

void Table::show_progress(const Row& row, double fraction, std::string_view activity) {
  terminal_.status(head_of(row, label(row)) + " ", fraction, activity);
}

void Table::add(const Row& row) {
  if (row.unchecked_shaders && !unchecked_) {
    unchecked_ = true;
    terminal_.line(terminal_.paint(
        Colour::dim, "without the bounds checks of the WebGPU library, where a plan proves them needless:"));
  }
  if (row.status == Status::ok || row.status == Status::wrong) {
    print_result(row);
  } else {
    print_refusal(row);
  }
}

void Table::print_result(const Row& row) {
  const bool good = row.status == Status::ok;
  const bool judged = row.error_over_bound.has_value();
  const auto verdict =
      !judged ? std::string() : terminal_.paint(good ? Colour::green : Colour::red, good ? "ok" : "WRONG");
  auto adds = wrap(row.adds, kAdds);
  adds.resize(std::max<std::size_t>(adds.size(), 1));
  const auto cell =
      shows_adds() ? terminal_.paint(Colour::dim, left(adds.front(), kAdds)) + " " : std::string();
  terminal_.line(
      trimmed(fmt::format("{}  {}{}  {}", head_of(row, label(row)), cell, figures_of(row), verdict)));
  if (shows_adds()) {
    for (std::size_t i = 1; i < adds.size(); ++i) {
      terminal_.line(std::string(kBeforeAdds, ' ') + terminal_.paint(Colour::dim, adds[i]));
    }
  }
  if (!shows_adds()) print_below(row.adds, kStep + 1, Colour::dim);
  for (const auto& remark : remarks_of(row)) print_below("· " + remark, kBeforeAdds, Colour::dim);
  if (!good) print_below(row.reason, kBeforeAdds, Colour::red);
}

void Table::print_refusal(const Row& row) {
  const bool harmless = row.status == Status::unsupported;
  const auto word =
      row.status == Status::device_lost ? std::string("device lost") : std::string(to_string(row.status));
  const auto width = static_cast<std::size_t>(terminal_.width()) - kBeforeAdds;
  const auto lines = wrap(word + ": " + row.reason, width);
  const auto colour = harmless ? Colour::yellow : Colour::red;
  terminal_.line(fmt::format("{}  {}", head_of(row, label(row)), terminal_.paint(colour, lines.front())));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    terminal_.line(std::string(kBeforeAdds, ' ') + terminal_.paint(colour, lines[i]));
  }
}

void Table::print_below(std::string_view text, std::size_t indent, Colour colour) {
  for (const auto& line : wrap(text, static_cast<std::size_t>(terminal_.width()) - indent)) {
    terminal_.line(std::string(indent, ' ') + terminal_.paint(colour, line));
  }
}

void Table::end(const ladder::Report& report) {
  print_start_costs(report);
  print_conditions(terminal_, report, reach(report));
}

void Table::print_start_costs(const ladder::Report& report) {
  constexpr std::size_t kColumn = 16;
  terminal_.line();
  terminal_.line(terminal_.paint(Colour::bold, "What the start cost, once, in ms"));
  terminal_.line(terminal_.paint(
      Colour::dim,
      fmt::format("{} {}  {}{}{}", right("", kStep), left("", kName), right("shader module", kColumn),
                  right("pipeline", kColumn), right("first dispatch", kColumn))));
  for (const auto& row : report.rows) {
    if (!row.time || !row.on_device || row.kind == Kind::baseline) continue;
    terminal_.line(fmt::format(
        "{}  {}{}{}", head_of(row, label(row)), right(digits(row.start.shader_ms), kColumn),
        right(digits(row.start.pipeline_ms), kColumn), right(digits(row.start.first_dispatch_ms), kColumn)));
  }
  print_below("Most drivers compile in the first dispatch; it includes one run.", kBeforeAdds, Colour::dim);
}

}  // namespace wgemm::cli
