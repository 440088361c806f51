#include "cli/report/summary.hpp"

#include <fmt/format.h>

#include <string_view>

#include "cli/report/figures.hpp"
#include "cli/terminal/text.hpp"

namespace wgemm::cli {
namespace {

constexpr std::size_t kName = 11;

}  // namespace

void print_headline(Terminal& terminal, std::string_view what, const bench::Session& session) {
  terminal.line(
      terminal.paint(Colour::bold, fmt::format("{} on {}", what, in_words(session.conditions.profile))));
}

void print_conditions(Terminal& terminal, const bench::Session& session, std::string_view reach) {
  const auto& conditions = session.conditions;
  const auto& profile = conditions.profile;
  const auto& roofline = session.roofline;
  const auto print = [&](std::string_view name, std::string_view text) {
    const auto lines = wrap(text, static_cast<std::size_t>(terminal.width()) - kName);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      terminal.line(terminal.paint(Colour::dim, left(i == 0 ? name : "", kName)) + lines[i]);
    }
  };
  terminal.line();
  print("roofline", fmt::format("copy {}, fused multiply-adds {}{}", bandwidth(roofline.bytes_per_second),
                                rate(roofline.flops_per_second), reach));
  print("floor", fmt::format("an empty dispatch takes {} ms; no time above can be shorter",
                             digits(roofline.empty_dispatch_ms)));
  print("timing", roofline.source == TimingSource::timestamps && conditions.timestamp_quantum_ns > 0
                      ? fmt::format("{} (in steps of {:.0f} ns), first dispatch and warm-up left out",
                                    timing(roofline.source), conditions.timestamp_quantum_ns)
                      : fmt::format("{}, first dispatch and warm-up left out", timing(roofline.source)));
  print("adapter", fmt::format("{} ({}), driver {}; {}", profile.name, type_in_words(profile.type),
                               profile.driver.empty() ? "unknown" : profile.driver, conditions.choice));
  print("library", fmt::format("{} (version {}), {}", profile.library, conditions.library_version,
                               conditions.library_path));
  print("limits",
        conditions.minimum_limits ? "the specification's minimum (--limits minimum)" : "the adapter's own");
  print("inputs", fmt::format("random, seed {}", session.seed));
  print("CPU", fmt::format("{}, {} threads; {}", conditions.cpu, conditions.cpu_threads, conditions.blas));
  print("date", fmt::format("{}, wgemm {}", conditions.date, WGEMM_VERSION));
}

}  // namespace wgemm::cli
