// One configuration, tried on one problem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/outcome.hpp"

namespace wgemm::tune {

struct Trial {
  std::string kernel;         ///< full name
  std::uint32_t split_k = 1;  ///< parts of k
  double estimated_seconds = 0;
  bench::Status status = bench::Status::ok;
  std::string reason;  ///< why the status is not ok
  double seconds = 0;  ///< median of one product; 0 where the status is not ok
  double spread = 0;   ///< interquartile range over median
  std::optional<double> error_over_bound;
  bool heuristic = false;  ///< what the planner chooses without data
  bool resumed = false;    ///< known from an earlier run

  [[nodiscard]] bool ok() const { return status == bench::Status::ok; }
};

}  // namespace wgemm::tune
