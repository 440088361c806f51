// Tunes: finds, for each of some problems, the fastest kernel on a device within a time budget. Yields data;
// prints nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tune/search.hpp"
#include "tune/trial.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::tune {

struct Options {
  std::vector<Problem> problems;
  double budget_seconds = 60;  ///< for all of them; each gets its share of what is left
  bool software = false;       ///< whether a software adapter may be tuned
  bool fresh = false;          ///< measure again what the journal knows
  std::string journal;         ///< file of every trial's result; "": none
  std::string tool;            ///< who measures, for the entries: "wgemm 0.1.0"
  std::uint64_t seed = 1;      ///< of the operands
  /// The choices that there are, as they are by then: asked for each problem whose search was cut short,
  /// which must not replace a faster one. Unset: none. Errors end the tuning.
  std::function<Result<TuningData>()> known;
  /// Kernels to compile at once, ahead of their measurements; 0: one a core, and one on a software adapter,
  /// whose drivers compile in the first run.
  std::size_t at_once = 0;
  std::function<bool()> stopped;  ///< true ends the search after the trial at hand
};

struct ProblemReport {
  Problem problem;
  Found found;
  std::string candidates;  ///< checksum of the set
  bool remains = false;    ///< a choice of Options::known is faster, and was not replaced
};

struct Report {
  std::vector<ProblemReport> problems;  ///< those that were begun
  std::size_t skipped_lines = 0;        ///< of the journal, that could not be read
  bool stopped = false;                 ///< by Options::stopped
};

/// Called from the thread that tunes.
struct Observer {
  std::function<void(const Problem&, std::size_t index)> begun;
  std::function<void(const Trial& trial, std::string_view activity, double fraction)> progress;
  std::function<void(const Trial& trial, const Trial* best)> finished;
  std::function<void(const Found&)> ended;
  /// Its best, to be kept. Errors end the tuning.
  std::function<Result<void>(const TuningEntry&)> keep;
};

/// Each candidate is judged against a reference before its time counts. What is wrong, refused or fails is a
/// trial without a time; a lost device is opened anew, three times at most. Errors: unsupported (argument
/// "software": a software adapter, without leave), invalid_argument (a problem), io (the journal), those of
/// the context.
Result<Report> tune(Context& context, const Options& options, const Observer& observer);

}  // namespace wgemm::tune
