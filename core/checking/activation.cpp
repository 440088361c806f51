#include "core/checking/activation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wgemm::checking {
namespace {

/// The largest slope of gelu (at sqrt 2), of its tanh form and of silu.
constexpr double kSlope = 1.13;
constexpr double kUnitF32 = 2 * kUnitRoundoffF32;  ///< WGSL's ULP relative to a value is at most this

/// x/2 (1 + g) for a g of [-1, 1] that is off by at most `error`.
Expected halved(double x, double g, double error) { return {x / 2 * (1 + g), std::abs(x) / 2 * error}; }

Expected smooth(Activation activation, double x) {
  if (activation == Activation::gelu) {
    // 1.5e-7 of the polynomial; exp(-x^2) is off by 3 + 2 x^2 units of a value that falls faster; additions.
    return halved(x, std::erf(x / std::numbers::sqrt2), 1.5e-7 + 10 * kUnitF32);
  }
  if (activation == Activation::gelu_tanh) {
    const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
    return halved(x, std::tanh(inner), 1e-5 + 4 * kUnitF32);
  }
  // Where exp(-x) overflows f32 its reciprocal is 0, and so is the true value but for 1e-36.
  const double value = x / (1 + std::exp(-x));
  return {value, std::abs(value) * (8 + 2 * std::abs(x)) * kUnitF32 + 1e-30};
}

}  // namespace

bool keeps_integers(Activation activation) {
  return activation == Activation::none || activation == Activation::relu || activation == Activation::clamp;
}

Expected activate(const Epilogue& epilogue, double x, double error) {
  switch (epilogue.activation) {
    case Activation::none:
      return {x, error};
    case Activation::relu:
      return {std::max(x, 0.0), error};
    case Activation::clamp:
      return {std::clamp(x, double{epilogue.lower}, double{epilogue.upper}), error};
    default:
      break;
  }
  const auto result = smooth(epilogue.activation, x);
  return {result.value, kSlope * error + result.error + 4 * kSmallestNormalF32};
}

}  // namespace wgemm::checking
