// The measurements of one row in several passes over all rows, as one: clocks, temperature and neighbours
// move a whole measurement, which the spread of its samples does not show.
#pragma once

#include <optional>
#include <span>

#include "wgemm/measure.hpp"

namespace wgemm::bench {

/// The median over the passes' medians, of two their mean: a comparison with a peer that was measured once
/// must not pit the better of two against it. Least and greatest are of all passes, the spread is the largest
/// of one, samples are all there are. At least one pass, all by the same clock.
Measurement combine(std::span<const Measurement> passes);

/// How far the medians of the passes are apart, over the median of them; unset: fewer than two passes.
std::optional<double> pass_spread(std::span<const double> medians);

}  // namespace wgemm::bench
