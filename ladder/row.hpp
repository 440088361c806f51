// One row of the ladder's table: a kernel or a baseline on one problem, how fast it was and whether it was
// right.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bench/outcome.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::ladder {

enum class Kind : std::uint8_t {
  baseline,  ///< noop, cpu, blas
  rung,
  sweep,  ///< one configuration of a rung's kernel
};

using bench::Status;
using bench::to_string;

std::string_view to_string(Kind kind);

struct Row : bench::Outcome {
  Kind kind = Kind::rung;
  int step = 0;       ///< number of the rung in the tutorial; 0 for baselines
  std::string name;   ///< the rung's name, "noop", "cpu", "blas", or in a sweep the varied parameters
  std::string group;  ///< what a sweep varies; empty otherwise
  std::string adds;   ///< what it adds to the row before

  bool on_device = true;
  DataType operands = DataType::f32;
  EdgePolicy edges = EdgePolicy::checked;

  double rows_share = 1;  ///< share of C's rows that was computed; the time is scaled up to all of them

  std::optional<double> speedup_before;  ///< over the f32 rung before
  std::optional<double> speedup_naive;
};

}  // namespace wgemm::ladder
