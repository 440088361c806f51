// f16 on the host: IEEE 754 binary16, rounded to nearest, ties to even.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace wgemm::native {

inline float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (bits >> 10U) & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  if (exponent == 0) {  // zero and subnormals
    const float value = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -value : value;
  }
  const std::uint32_t rebased = exponent == 0x1fU ? 0xffU : exponent + 112;
  return std::bit_cast<float>(sign | (rebased << 23U) | (fraction << 13U));
}

inline std::uint16_t float_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(sign | 0x7e00U);
  }
  const float magnitude = std::fabs(value);
  if (magnitude == 0) {
    return sign;
  }
  if (magnitude >= 65520.0F) {  // halfway to what would follow the largest
    return static_cast<std::uint16_t>(sign | 0x7c00U);
  }
  // In units of the last place; nearbyint rounds ties to even.
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int unit = std::max(exponent - 11, -24);
  const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -unit)));
  // Above the subnormals an exponent of 1 is in the steps already; rounding up to the next power of two
  // carries over.
  return static_cast<std::uint16_t>(sign | (steps + (static_cast<std::uint32_t>(unit + 24) << 10U)));
}

}  // namespace wgemm::native
