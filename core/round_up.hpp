// Sizes in whole units.
#pragma once

#include <cstdint>

namespace wgemm {

/// `value` as a multiple of `multiple`, at least as large.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace wgemm
