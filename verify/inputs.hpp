// Operands of a check: numbers from a seed, the same on every platform, in any layout. Whatever lies between
// and behind the elements is poison, so that a kernel that reads it shows.
#pragma once

#include <cstdint>

#include "verify/host_problem.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::verify {

/// uniform: in (-1, 1), never 0 and never denormal: odd multiples of 2^-24 for f32; for f16 odd multiples of
/// 2^-14, rounded to f16 (so that 1 itself occurs). Integers take the whole range of their type, as far as C
/// holds the result. Quantised weights and their zero points take it too, with scales that bring B into
/// (-1, 1).
/// integers: small ones whose product is exact in whatever order it is summed: all partial sums are integers
/// of at most 2^24, or 2^11 where f16 sums or stores them. None is 0, so that each k counts in each element
/// of C: a dropped or a doubled one changes all that it reaches. Scales are 1 or 2 with a sign.
enum class Numbers : std::uint8_t { uniform, integers };

/// The problem with its operands. C is poison everywhere where beta is 0, else its elements are numbers.
HostProblem make_inputs(const Problem& problem, Numbers numbers, std::uint64_t seed,
                        std::uint64_t largest_bytes);

/// The integers are ±1 … ±largest, at every `stride`-th k; at the others A is 0.
struct IntegerRange {
  std::int32_t largest = 3;
  std::uint64_t stride = 1;
  bool operator==(const IntegerRange&) const = default;
};

/// ±3 up to k = 1,864,135 = floor(2^24 / 9), ±2 up to 4,194,304, ±1 up to 16,777,216, and beyond that ±1 with
/// zeros between. Where C or the sums are f16, which holds integers up to 2^11: ±3 up to k = 227, ±2 up to
/// 512, ±1 beyond; sums in f16 have zeros between above k = 2048.
IntegerRange integer_range(const Problem& problem);

}  // namespace wgemm::verify
