// Shapes that nobody chose: what a default is worth is seen on them.
#pragma once

#include <cstdint>
#include <vector>

#include "wgemm/problem.hpp"

namespace wgemm::tune {

/// f32 products with m, n and k from 1 to 8191, each power of two as often as another, at most 2^37
/// operations (4096 x 4096 x 4096) together. The same on every platform.
std::vector<Problem> random_shapes(std::size_t count, std::uint64_t seed);

}  // namespace wgemm::tune
