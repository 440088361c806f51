#include "cli/quantised/quantise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "verify/half.hpp"

namespace wgemm::cli {
namespace {

/// One scale and what it says of a block.
struct Step {
  float scale = 0;
  std::int32_t zero = 0;
};

class Quantiser {
 public:
  Quantiser(const QuantiseOptions& options, Weights& weights)
      : options_(options),
        weights_(weights),
        most_((1 << options.bits) - 1),
        middle_(1 << (options.bits - 1)) {}

  /// The weights of one block of column `col`; fewer than a block at the end of k.
  void add(std::uint64_t col, std::uint64_t block, const std::vector<float>& values) {
    const auto step = choose(values);
    const auto scale_at = col * weights_.blocks() + block;
    set_scale(scale_at, step.scale);
    if (weights_.zeros) {
      const auto row = col * weights_.zeros_shape()[1] * 8 / options_.bits;
      set_integer(*weights_.zeros, row + block, step.zero);
    }
    const auto first = scale_at * options_.block;
    for (std::uint64_t i = 0; i < options_.block; ++i) {
      // Behind k stands 0.
      const float value = i < values.size() ? values[i] : 0;
      const auto q = step.scale == 0 ? step.zero : rounded(value, step);
      set_integer(weights_.q, first + i, q);
      if (i < values.size()) count(value, static_cast<double>(step.scale) * (q - step.zero));
    }
  }

  [[nodiscard]] QuantisationError error(double elements) const {
    auto error = error_;
    if (elements > 0) {
      error.rms = std::sqrt(error.rms / elements);
      error.rms_weight = std::sqrt(error.rms_weight / elements);
    }
    return error;
  }

 private:
  [[nodiscard]] Step choose(const std::vector<float>& values) const {
    const auto [low, high] = std::ranges::minmax(values);
    if (!options_.asymmetric) {
      const auto largest = std::max(std::abs(low), std::abs(high));
      return {stored(largest / static_cast<float>(middle_ - 1)), middle_};
    }
    const float lowest = std::min(low, 0.0F);
    // Halved first: the span of two large numbers can exceed float32.
    const float half = std::max(high, 0.0F) / 2 - lowest / 2;
    const auto scale = stored(half / (static_cast<float>(most_) / 2));
    const auto zero = scale == 0 ? 0.0F : std::round(-lowest / scale);
    return {scale, static_cast<std::int32_t>(std::clamp(zero, 0.0F, static_cast<float>(most_)))};
  }

  /// As the file will hold it.
  [[nodiscard]] float stored(float scale) const {
    return options_.scale_type == DataType::f16 ? static_cast<float>(verify::Half(scale)) : scale;
  }

  [[nodiscard]] std::int32_t rounded(float value, const Step& step) const {
    const auto q = std::nearbyint(value / step.scale) + static_cast<float>(step.zero);
    return static_cast<std::int32_t>(std::clamp(q, 0.0F, static_cast<float>(most_)));
  }

  void set_scale(std::uint64_t at, float scale) {
    auto* const bytes = weights_.scales.bytes.own().data() + at * size_of(options_.scale_type);
    if (options_.scale_type == DataType::f32) {
      std::memcpy(bytes, &scale, sizeof scale);
    } else {
      const verify::Half half(scale);
      std::memcpy(bytes, &half, sizeof half);
    }
  }

  /// Two integers of 4 bits in a byte, the first in its lower half.
  void set_integer(Array& array, std::uint64_t at, std::int32_t value) const {
    const auto bytes = array.bytes.own();
    if (options_.bits == 8) {
      bytes[at] = static_cast<std::byte>(value);
    } else {
      bytes[at / 2] |= static_cast<std::byte>(value << (at % 2 * 4));
    }
  }

  void count(float value, double stands_for) {
    const auto exact = static_cast<double>(value);
    const auto error = std::abs(exact - stands_for);
    error_.largest = std::max(error_.largest, error);
    error_.rms += error * error;
    error_.largest_weight = std::max(error_.largest_weight, std::abs(exact));
    error_.rms_weight += exact * exact;
  }

  QuantiseOptions options_;
  Weights& weights_;
  std::int32_t most_;
  std::int32_t middle_;
  QuantisationError error_;  ///< of the root mean squares, the sums of squares
};

/// By columns: the weights of a block lie next to each other then.
std::vector<float> columns_of(const Array& w) {
  const auto ordered = reordered(w.type == DataType::f16 ? widened(w) : w, Order::col_major);
  std::vector<float> values(ordered.bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), ordered.bytes.data(), ordered.bytes.size());
  return values;
}

tl::unexpected<Error> wrong(const Array& w, const std::string& message) {
  return fail(ErrorCode::invalid_argument, w.name, fmt::format("'{}' {}", w.name, message));
}

}  // namespace

Result<Quantised> quantise(const Array& w, const QuantiseOptions& options) {
  if (w.shape.size() != 2) {
    return wrong(w, fmt::format("has shape {}; weights are one matrix, k x n (numpy: .reshape(k, n))",
                                shape_text(w.shape)));
  }
  if (!is_floating(w.type)) {
    return wrong(w, fmt::format("has dtype {}; float32 and float16 can be quantised", numpy_name(w.type)));
  }
  Quantised result;
  auto& weights = result.weights;
  weights.bits = options.bits;
  weights.block = options.block;
  weights.k = w.shape[0];
  weights.n = w.shape[1];
  weights.q = make_array(DataType::u8, Order::row_major, weights.q_shape());
  weights.scales = make_array(options.scale_type, Order::row_major, weights.scales_shape());
  if (options.asymmetric) weights.zeros = make_array(DataType::u8, Order::row_major, weights.zeros_shape());

  const auto values = columns_of(w);
  const auto bad = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
  if (bad != values.end()) {
    const auto at = static_cast<std::uint64_t>(bad - values.begin());
    return wrong(w, fmt::format("holds {} at [{}, {}]; only finite numbers can be quantised", *bad,
                                at % weights.k, at / weights.k));
  }
  const auto largest = values.empty() ? 0.0F : std::max(std::ranges::max(values), -std::ranges::min(values));
  const auto levels = static_cast<float>((1U << options.bits) - 1);
  constexpr float kLargestHalf = 65504;
  if (options.scale_type == DataType::f16 && 2 * (largest / levels) > kLargestHalf) {
    return wrong(w,
                 fmt::format("holds {:g}, whose scale exceeds the range of float16; --scale-dtype f32 has it",
                             largest));
  }
  // A float16 below holds nothing but 0, and so would every weight.
  constexpr float kSmallestHalf = 5.96e-8F;
  if (options.scale_type == DataType::f16 && largest > 0 && largest / (levels / 2) < kSmallestHalf) {
    return wrong(w,
                 fmt::format("holds no weight above {:g}, whose scale float16 rounds to 0; --scale-dtype f32 "
                             "has it",
                             largest));
  }
  Quantiser quantiser(options, weights);
  std::vector<float> block;
  for (std::uint64_t col = 0; col < weights.n; ++col) {
    for (std::uint64_t i = 0; i < weights.blocks(); ++i) {
      const auto* const first = values.data() + col * weights.k + i * options.block;
      block.assign(first, first + std::min<std::uint64_t>(options.block, weights.k - i * options.block));
      quantiser.add(col, i, block);
    }
  }
  result.error = quantiser.error(static_cast<double>(values.size()));
  return result;
}

}  // namespace wgemm::cli
