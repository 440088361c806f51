// Shows a search for kernels as it goes: a line for each that is better, or that fails.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "cli/report/figures.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text.hpp"
#include "tune/tune.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

class TuningView {
 public:
  TuningView(Terminal& terminal, std::size_t problems, std::string headline)
      : terminal_(terminal), problems_(problems), headline_(std::move(headline)) {}

  void begin(const Problem& problem, std::size_t index) {
    if (index == 0) terminal_.line(headline_);
    tried_ = 0;
    best_ = 0;
    heuristic_ = 0;
    terminal_.line(terminal_.paint(Colour::bold,
                                   fmt::format("{}  ({} of {})", describe(problem), index + 1, problems_)));
  }

  void show_progress(const tune::Trial& trial, std::string_view activity, double fraction) {
    const auto best = best_ > 0 ? fmt::format("best {} ms", digits(best_ * 1e3)) : std::string();
    terminal_.status(left(fmt::format("  {} tried  {}", tried_, best), 28), fraction,
                     fmt::format("{} {}", trial.kernel, activity));
  }

  void add(const tune::Trial& trial, const tune::Trial* best) {
    ++tried_;
    if (!trial.ok()) {
      const bool harmless = trial.status == bench::Status::unsupported;
      if (harmless && !trial.heuristic) return;
      terminal_.line(terminal_.paint(
          Colour::yellow, fmt::format("  {}: {}: {}", to_string(trial.status), label(trial), trial.reason)));
      return;
    }
    if (trial.heuristic) heuristic_ = trial.seconds;
    if (best == nullptr || best->seconds != trial.seconds || best_ == trial.seconds) return;
    best_ = trial.seconds;
    terminal_.line(fmt::format("  {} ms {}  {}{}", right(digits(trial.seconds * 1e3), 8), right(gain(), 6),
                               label(trial), remarks(trial)));
  }

  void end(const tune::Found& found) {
    terminal_.clear_status();
    if (found.trials.empty()) {
      terminal_.line(found.stopped ? "  stopped before its first trial" : "  no time was left for it");
      return;
    }
    if (!found.best) {
      terminal_.line(terminal_.paint(Colour::red, fmt::format("  none of {} is right", found.trials.size())));
      return;
    }
    terminal_.line(
        fmt::format("  {} of {} tried{}", label(*found.best), found.trials.size(), why_ended(found)));
  }

 private:
  static std::string label(const tune::Trial& trial) {
    return trial.split_k > 1 ? fmt::format("{} split {}", trial.kernel, trial.split_k) : trial.kernel;
  }
  static std::string remarks(const tune::Trial& trial) {
    return std::string(trial.heuristic ? "  (the planner's own)" : "") +
           (trial.resumed ? "  (from before)" : "");
  }
  static std::string_view why_ended(const tune::Found& found) {
    if (found.complete) return "";
    if (found.error) return "; an error ended it";
    return found.stopped ? "; stopped, the same command goes on"
                         : "; the time is up, the same command goes on";
  }
  [[nodiscard]] std::string gain() const {
    return heuristic_ > 0 ? fmt::format("×{:.2f}", heuristic_ / best_) : std::string();
  }

  Terminal& terminal_;
  std::size_t problems_;
  std::string headline_;
  std::size_t tried_ = 0;
  double best_ = 0;
  double heuristic_ = 0;
};

}  // namespace wgemm::cli
