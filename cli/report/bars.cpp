#include "cli/report/bars.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/figures.hpp"
#include "cli/report/summary.hpp"
#include "cli/terminal/text.hpp"

namespace wgemm::cli {
namespace {

constexpr std::size_t kName = 12;
constexpr int kWidest = 60;
constexpr int kFigures = 24;

}  // namespace

void SweepBars::begin(const ladder::Report& report) {
  print_headline(terminal_, sizes(report.problem), report);
}

void SweepBars::show_progress(const ladder::Row& row, double fraction, std::string_view activity) {
  terminal_.status(fmt::format("{}, {}", row.group, row.name), fraction, activity);
}

void SweepBars::add(const ladder::Row& row) {
  if (row.kind != ladder::Kind::sweep) return;
  if (!group_.empty() && group_.front().group != row.group) draw_group();
  group_.push_back(row);
}

void SweepBars::end(const ladder::Report& report) {
  draw_group();
  print_conditions(terminal_, report, reach(report));
}

void SweepBars::draw_group() {
  if (group_.empty()) return;
  terminal_.line();
  terminal_.line(terminal_.paint(Colour::bold, group_.front().group));
  double best = 0;
  for (const auto& row : group_) best = std::max(best, row.gflops.value_or(0));
  const int width = std::min(kWidest, terminal_.width() - static_cast<int>(kName) - kFigures);
  for (const auto& row : group_) {
    const auto name = right(row.name, kName);
    if (row.status != ladder::Status::ok) {
      terminal_.line(fmt::format("{} {}: {}", name, to_string(row.status), row.reason));
      continue;
    }
    const double gflops = row.gflops.value_or(0);
    const auto colour = gflops == best ? Colour::green : Colour::none;
    terminal_.line(fmt::format("{} {} {} GFLOP/s", name, terminal_.paint(colour, bar(gflops / best, width)),
                               right(digits(gflops), 8)));
  }
  group_.clear();
}

}  // namespace wgemm::cli
