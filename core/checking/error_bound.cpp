#include "core/checking/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checking/activation.hpp"

namespace wgemm::checking {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The value of the lowest bit of a number that is set: 1 for odd integers, 0.5 for 1.5.
double lowest_bit(double value) {
  if (value == 0 || !std::isfinite(value)) return 1;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  auto bits = static_cast<std::int64_t>(std::abs(mantissa) * 0x1p53);
  const auto lowest = static_cast<double>(bits & -bits);
  return std::ldexp(lowest, exponent - 53);
}

/// What is left of a sum modulo 2^32, as a signed number.
double wrapped(double sum) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
}

bool is_f16(double value) {
  if (value == 0) return true;
  const double magnitude = std::abs(value);
  if (magnitude > kLargestF16 || magnitude < kSmallestNormalF16) return false;
  return lowest_bit(value) * 0x1p11 > magnitude;
}

/// What storing a sum that is at most `error` away from `value` in f16 may add.
double narrowing(double value, double error) {
  const double rounding = 2 * kUnitRoundoffF16 * (std::abs(value) + error);
  const bool may_be_denormal = std::abs(value) - error < kSmallestNormalF16;
  return may_be_denormal ? rounding + kSmallestNormalF16 : rounding;
}

std::uint64_t roundings_of_epilogue(const Problem& problem) {
  std::uint64_t count = 0;
  if (problem.alpha != 1 || problem.beta != 0) ++count;
  if (problem.beta != 0) count += 2;
  if (problem.epilogue.bias != Bias::none) ++count;
  return count;
}

double grid_of(const Problem& problem) {
  double grid = std::min(lowest_bit(problem.alpha), lowest_bit(problem.beta));
  if (problem.epilogue.activation == Activation::clamp) {
    grid = std::min({grid, lowest_bit(problem.epilogue.lower), lowest_bit(problem.epilogue.upper)});
  }
  return std::min(grid, 1.0);
}

}  // namespace

double gamma(std::uint64_t n, double unit_roundoff) {
  const double nu = static_cast<double>(n) * unit_roundoff;
  return nu < 1 ? nu / (1 - nu) : kInfinity;
}

double largest_exact_integer(DataType type) {
  if (type == DataType::f16) return 0x1p11;
  return type == DataType::f32 ? 0x1p24 : 0x1p31;
}

ErrorBound::ErrorBound(const Problem& problem, Inputs inputs) : problem_(problem) {
  const bool half = problem.accumulate == Accumulate::f16;
  const auto terms = problem.quantization.block != 0 ? problem.k + 2 : problem.k;
  roundings_ = roundings_of_epilogue(problem);
  relative_ = gamma(terms + roundings_, kUnitRoundoffF32) + gamma(terms, kUnitRoundoffF64);
  half_ = gamma(terms, kUnitRoundoffF16);
  flushed_ = (2 * static_cast<double>(terms) + static_cast<double>(roundings_)) *
             (half ? kSmallestNormalF16 : kSmallestNormalF32);
  exact_sums_ = -1;
  if (!is_floating(problem.a.type)) {
    exact_sums_ = kInfinity;
  } else if (inputs == Inputs::integers) {
    exact_sums_ = half ? 0x1p11 : 0x1p24;
  }
  if (inputs == Inputs::integers) grid_ = grid_of(problem);
}

bool ErrorBound::is_exact(double magnitude) const { return grid_ > 0 && magnitude <= grid_ * 0x1p24; }

Expected ErrorBound::before_activation(const Terms& terms) const {
  const double alpha = problem_.alpha;
  const double old = problem_.beta * terms.old;
  const double added = std::abs(old) + std::abs(terms.bias);
  if (!is_floating(problem_.a.type)) {
    const double sum = wrapped(terms.sum);
    const double largest = std::abs(alpha * sum) + added;
    double error = 0;
    if (std::abs(sum) > 0x1p24) error = std::abs(alpha) * 2 * kUnitRoundoffF32 * std::abs(sum);
    if (error > 0 || !is_exact(largest)) error += gamma(roundings_, kUnitRoundoffF32) * largest + flushed_;
    return {alpha * sum + old + terms.bias, error};
  }
  const double value = alpha * terms.sum + old + terms.bias;
  const double largest = std::abs(alpha) * terms.magnitude + added;
  if (terms.magnitude <= exact_sums_ && (roundings_ == 0 || is_exact(largest))) return {value, 0};
  double error = relative_ * largest + flushed_;
  if (problem_.accumulate == Accumulate::f16) {
    const double half = half_ * terms.magnitude;
    // A partial sum may leave the range of f16.
    if (terms.magnitude + half > kLargestF16) return {value, kInfinity};
    if (terms.magnitude > exact_sums_) error += std::abs(alpha) * half;
  }
  return {value, error};
}

Expected ErrorBound::operator()(const Terms& terms) const {
  if (problem_.c.type == DataType::i32) {
    return {wrapped(wrapped(terms.sum) + double{problem_.beta} * terms.old), 0};
  }
  const auto& epilogue = problem_.epilogue;
  const auto before = before_activation(terms);
  const auto activated = activate(epilogue, before.value, before.error);
  double value = activated.value;
  double error = activated.error;
  if (epilogue.add_residual) {
    value += terms.residual;
    const bool exact = error == 0 && is_exact(std::abs(activated.value) + std::abs(terms.residual));
    if (!exact) error += kUnitRoundoffF32 * (std::abs(value) + error) + kSmallestNormalF32;
    // Without an activation between them the residual is one more term of the sum, in any order.
    if (!exact && epilogue.activation == Activation::none && roundings_ > 0) {
      error += gamma(roundings_, kUnitRoundoffF32) * std::abs(terms.residual);
    }
  }
  return stored({value, error});
}

bool ErrorBound::needs_magnitude(double largest) const {
  if (largest > exact_sums_) return true;
  // With room for what beta and the bias add.
  return roundings_ > 0 && is_floating(problem_.a.type) &&
         !is_exact(std::abs(double{problem_.alpha}) * largest + 0x1p12);
}

Expected ErrorBound::stored(Expected result) const {
  const double largest = std::abs(result.value) + result.error;
  if (problem_.c.type == DataType::f32) {
    if (!(largest <= static_cast<double>(std::numeric_limits<float>::max()))) result.error = kInfinity;
    // A value of more bits than f32 has, which no rounding has been counted for.
    if (result.error == 0 && static_cast<double>(static_cast<float>(result.value)) != result.value) {
      result.error = 2 * kUnitRoundoffF32 * std::abs(result.value);
    }
    return result;
  }
  if (!(largest <= kLargestF16)) return {result.value, kInfinity};
  if (result.error > 0 || !is_f16(result.value)) result.error += narrowing(result.value, result.error);
  return result;
}

}  // namespace wgemm::checking
