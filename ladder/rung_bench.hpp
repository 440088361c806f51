// A row of the ladder on a device: its kernel judged and timed, or, without matrix units, judged in their
// emulated dialect.
#pragma once

#include <cstdint>

#include "bench/bench.hpp"
#include "ladder/row.hpp"
#include "wgemm/context.hpp"
#include "wgemm/measure.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::ladder {

class RungBench {
 public:
  /// `problem` is of row-major f32 matrices without gaps. `context` and `roofline` outlive the bench.
  RungBench(Context& context, Problem problem, const Roofline& roofline, std::uint64_t seed,
            MeasureOptions measuring);

  /// Fills in status and figures of a row whose kernel, operands and edges are set.
  void fill(Row& row, const bench::Progress& progress);

 private:
  /// For a kernel that needs matrix units on a device without them: judges its emulated dialect, in which
  /// each lane does the units' work itself, on a small product.
  Result<void> judge_emulated(Row& row);

  Context& context_;
  Problem problem_;
  bench::Bench bench_;
};

}  // namespace wgemm::ladder
