// How far a right result may lie from a float64 reference, element by element.
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

/// gamma_n = n u / (1 - n u), Higham's lemma 3.1: n rounding errors in a row change a result by at most that,
/// relatively. Infinite where n u >= 1: there the bound says nothing.
double gamma(std::uint64_t n, double unit_roundoff);

/// The bound for the elements of a product with `k` terms, accumulated in f32 and stored as `c_type`:
///
///   |C - R| <= (gamma_k(u32) + gamma_k(u64)) M + 2 k λ32 + ρ(R)
///
/// with the reference R = AB computed in f64, and M = |A||B|.
/// - gamma_k(u32) M: k products and k - 1 additions in f32, in any order, fused or not (3.1, 3.5). WGSL
/// allows
///   results that are not rounded to nearest; this bound is stricter and asks for rounding to nearest.
/// - gamma_k(u64) M: the same for the reference itself.
/// - 2 k λ32: each product, each addition and the final store may flush a denormal result to zero, which
/// loses
///   less than the smallest normal λ32 (2.8 with flushing in place of gradual underflow). Denormal elements
///   of A and B, which a device may flush too, are not covered: the inputs of a check have none.
/// - ρ(R): the conversion to a narrower C. WGSL leaves open which of the two neighbours it takes (section
///   "Floating Point Conversion"), so it may lose 2u relatively; and λ16 where the result may be denormal.
class ErrorBound {
 public:
  ErrorBound(std::uint64_t k, DataType c_type);

  /// `reference` and `magnitude` are the elements of R and M.
  [[nodiscard]] double operator()(double reference, double magnitude) const {
    const double accumulated = relative_ * magnitude + flushed_;
    return accumulated + narrowing(reference, accumulated);
  }

  /// ρ alone: what storing a sum that is at most `error` away from `reference` may add.
  [[nodiscard]] double narrowing(double reference, double error) const;

 private:
  double relative_;
  double flushed_;
  DataType c_type_;
};

}  // namespace wgemm::checking
