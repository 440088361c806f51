// Which rows of C to compare where all of them would take too long.
#pragma once

#include <cstdint>
#include <vector>

namespace wgemm::checking {

/// Ascending indices of at most `count` of `rows` rows: the first, the last, and one at random from each of
/// the equal stretches between, so that no regular tile hides behind a regular step. All rows for count 0.
std::vector<std::uint64_t> sample_rows(std::uint64_t rows, std::uint64_t count, std::uint64_t seed);

}  // namespace wgemm::checking
