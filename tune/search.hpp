// The search on one problem within a time. Who measures, and what time it is, comes from outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/selection/choice.hpp"
#include "tune/trial.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::tune {

struct Lab {
  std::function<double()> now;  ///< seconds since some moment
  std::function<bool()> stopped;
  /// What an earlier run found of a configuration.
  std::function<std::optional<Trial>(std::string_view kernel, std::uint32_t split_k)> recall;
  /// Compiles configurations at once; those that fail say so when they are measured. `at_once` of them at
  /// most; 1: none, each is compiled when it is measured.
  std::function<void(std::span<const selection::Choice>)> compile;
  std::size_t at_once = 1;
  /// Fills in status and figures. An error ends the search: nothing more can be measured.
  std::function<Result<void>(Trial&)> measure;
  /// A trial is done; `best` is the fastest of those that are right, nullptr where there is none yet.
  std::function<void(const Trial& trial, const Trial* best)> finished;
};

struct Found {
  std::vector<Trial> trials;
  std::optional<Trial> best;
  double heuristic_seconds = 0;  ///< 0: not measured
  bool complete = false;         ///< no candidate, and no neighbour of the best, was left out
  bool stopped = false;          ///< by Lab::stopped, before it was complete
  std::optional<Error> error;    ///< what ended the search early
};

/// Tries what `tuning::SearchOrder` gives, in its order. No trial begins after `deadline`, nor when the time
/// left is shorter than a trial, and compiling where it is needed, has taken so far.
Found search(const Problem& problem, const DeviceProfile& profile, double deadline, const Lab& lab);

}  // namespace wgemm::tune
