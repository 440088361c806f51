// What an element of C should be, and how far a right one may lie from that.
//
// Source of the bound: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM 2002,
// sections 2.2 (model of arithmetic), 2.8 (underflow), 3.1 (inner products) and 3.5 (matrix multiplication).
#pragma once

#include <cstdint>

#include "wgemm/problem.hpp"

namespace wgemm::checking {

/// u: the largest relative error of rounding to the nearest value of a type, half the distance of 1 to the
/// next.
constexpr double kUnitRoundoffF64 = 0x1p-53;
constexpr double kUnitRoundoffF32 = 0x1p-24;
constexpr double kUnitRoundoffF16 = 0x1p-11;
/// The smallest positive normal value: what a device that flushes denormals may lose at once.
constexpr double kSmallestNormalF32 = 0x1p-126;
constexpr double kSmallestNormalF16 = 0x1p-14;
constexpr double kLargestF16 = 65504;

/// gamma_n = n u / (1 - n u), Higham's lemma 3.1: n rounding errors in a row change a result by at most that,
/// relatively. Infinite where n u >= 1: there the bound says nothing.
double gamma(std::uint64_t n, double unit_roundoff);

/// Largest n such that all integers up to n are values of the type.
double largest_exact_integer(DataType type);

/// What an element of C is made of, in float64: R = sum of op(A) op(B), M the same with absolute values.
struct Terms {
  double sum = 0;
  double magnitude = 0;
  double old = 0;  ///< the element of C before the run
  double bias = 0;
  double residual = 0;
};

struct Expected {
  double value = 0;
  /// |C - value| <= error for a right C. 0: equal to the bit. Infinite where nothing can be said: beyond the
  /// range of C's type, or of the bound.
  double error = 0;
};

/// Whether the inputs are small integers. Then sums of at most 2^24 (2^11 for sums in f16) have no error, nor
/// has what alpha, beta, bias and residual make of them as long as it is a number of few bits.
enum class Inputs : std::uint8_t { any, integers };

/// The bound for the elements of C:
///
///   |C - z| <= e_z + rho(z), where
///   e_x = (gamma_{k+r}(u32) + gamma_k(u64)) T + (2 k + r) lambda      x = alpha R + beta C + bias
///   e_y = L e_x + f(x)                                         y = act(x)
///   e_z = e_y + u32 (|z| + e_y) + lambda32                     z = y + residual
///
/// - T = |alpha| M + |beta C| + |bias|: k products, k - 1 additions and r operations of the epilogue, in any
///   order, fused or not (3.1, 3.5): parts of a product may be added to beta C one after the other. WGSL
///   allows results that are not rounded to nearest; this bound is stricter and asks for rounding to nearest.
///   Quantised weights add two roundings. Sums in f16 add |alpha| gamma_k(u16) M.
///   Without an activation the residual is a term of that sum too, so that e_z has gamma_r(u32) |residual|
///   more: WGSL lets a compiler reassociate.
/// - gamma_k(u64) T: the same for the reference itself.
/// - 2 k lambda: each product, each addition and the final store may flush a denormal result to zero, which
///   loses less than the smallest normal lambda (2.8 with flushing in place of gradual underflow). Denormal
///   inputs, which a device may flush too, are not covered: the inputs of a check have none.
/// - L: the largest slope of the activation, 1.13; f: the error that WGSL allows its functions ("Floating
///   Point Accuracy": exp 3 + 2|x| units, division 2.5, tanh 1e-5), and 1.5e-7 of erf's polynomial.
/// - rho(z): the conversion to a narrower C. WGSL leaves open which of the two neighbours it takes (section
///   "Floating Point Conversion"), so it may lose 2u relatively; and lambda16 where the result may be
///   denormal.
///
/// Sums of integers are exact modulo 2^32, and so is a C of i32; the conversion to f32 loses 2u, and there T
/// is |alpha R| + |beta C| + |bias|.
class ErrorBound {
 public:
  ErrorBound(const Problem& problem, Inputs inputs);

  [[nodiscard]] Expected operator()(const Terms& terms) const;

  /// Whether the magnitudes of sums matter: not where `largest`, an upper bound of all of them, is exact
  /// whatever is made of it.
  [[nodiscard]] bool needs_magnitude(double largest) const;

 private:
  [[nodiscard]] Expected before_activation(const Terms& terms) const;
  [[nodiscard]] Expected stored(Expected result) const;
  [[nodiscard]] bool is_exact(double magnitude) const;

  Problem problem_;
  double relative_;  ///< of T
  double half_;      ///< of M, for sums in f16
  double flushed_;
  std::uint64_t roundings_;  ///< r
  double exact_sums_;        ///< sums up to this have no error
  double grid_ = 0;          ///< in exact runs the values of an epilogue are multiples of it; 0 in others
};

}  // namespace wgemm::checking
