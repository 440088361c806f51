// Weights from floating-point numbers: round to nearest, a scale for each block along k.
#pragma once

#include <cstdint>

#include "cli/quantised/weights.hpp"
#include "wgemm/error.hpp"

namespace wgemm::cli {

struct QuantiseOptions {
  std::uint32_t bits = 4;
  std::uint32_t block = 32;
  bool asymmetric = false;
  DataType scale_type = DataType::f32;
};

/// How far the weights are from what they stand for.
struct QuantisationError {
  double largest = 0;         ///< of |w - scale (q - zero)|
  double rms = 0;             ///< its root mean square
  double largest_weight = 0;  ///< of |w|
  double rms_weight = 0;
};

struct Quantised {
  Weights weights;
  QuantisationError error;
};

/// `w` is k x n, float32 or float16, all finite. Symmetric: scale = max |w| / (2^(bits - 1) - 1), so that the
/// zero is in the middle. Asymmetric: from min(w, 0) to max(w, 0) in 2^bits - 1 steps, with a zero point.
/// Scales are rounded to their type before integers are chosen. No weight is further than half a step away,
/// but for what the rounding of a scale takes from the largest. Errors: invalid_argument (NaN, infinity, a
/// block that float16 has no scale for); each names the file.
Result<Quantised> quantise(const Array& w, const QuantiseOptions& options);

}  // namespace wgemm::cli
