#include "core/checking/error_bound.hpp"

#include <cmath>
#include <limits>

namespace wgemm::checking {

double gamma(std::uint64_t n, double unit_roundoff) {
  const double nu = static_cast<double>(n) * unit_roundoff;
  return nu < 1 ? nu / (1 - nu) : std::numeric_limits<double>::infinity();
}

ErrorBound::ErrorBound(std::uint64_t k, DataType c_type)
    : relative_(gamma(k, kUnitRoundoffF32) + gamma(k, kUnitRoundoffF64)),
      flushed_(2 * static_cast<double>(k) * kSmallestNormalF32),
      c_type_(c_type) {}

double ErrorBound::narrowing(double reference, double error) const {
  if (c_type_ == DataType::f32) return 0;
  const double rounding = 2 * kUnitRoundoffF16 * (std::abs(reference) + error);
  const bool may_be_denormal = std::abs(reference) - error < kSmallestNormalF16;
  return may_be_denormal ? rounding + kSmallestNormalF16 : rounding;
}

}  // namespace wgemm::checking
