// Operands of a check: numbers from a seed, the same on every platform, in any layout. Whatever lies between
// and behind the elements is NaN, so that a kernel that reads it shows.
#pragma once

#include <cstdint>

#include "verify/host_matrix.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::verify {

struct Operands {
  HostMatrix a;
  HostMatrix b;
};

/// Uniform in (-1, 1), never 0 and never denormal: odd multiples of 2^-24 for f32; for f16 odd multiples of
/// 2^-14, rounded to f16 (so that 1 itself occurs).
Operands uniform_operands(const Problem& problem, std::uint64_t seed, std::uint64_t largest_bytes);

/// Integers whose product is exact in f32 in whatever order it is summed: all partial sums are integers of at
/// most 2^24. None is 0, so that each k counts in each element of C: a dropped or a doubled one changes all
/// that it reaches.
Operands integer_operands(const Problem& problem, std::uint64_t seed, std::uint64_t largest_bytes);

/// The integers are ±1 … ±largest, at every `stride`-th k; at the others A is 0.
struct IntegerRange {
  std::int32_t largest = 3;
  std::uint64_t stride = 1;
  bool operator==(const IntegerRange&) const = default;
};

/// ±3 up to k = 1,864,135 = floor(2^24 / 9), ±2 up to 4,194,304, ±1 up to 16,777,216, and beyond that ±1 with
/// zeros between. For a C of f16, which holds integers up to 2^11: ±3 up to k = 227, ±2 up to 512, ±1 beyond.
IntegerRange integer_range(std::uint64_t k, DataType c_type);

/// Largest n such that all integers up to n are values of the type.
constexpr double largest_exact_integer(DataType type) { return type == DataType::f32 ? 0x1p24 : 0x1p11; }

}  // namespace wgemm::verify
