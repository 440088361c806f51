#include "verify/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <unordered_set>

#include "core/checking/error_bound.hpp"
#include "verify/elements.hpp"

namespace wgemm::verify {
namespace {

/// An odd multiple of 2^-bits in (-1, 1), from the top bits of a draw. std::uniform_real_distribution would
/// give other numbers with each standard library.
double odd_fraction(std::uint64_t draw, int bits) {
  const auto odd = static_cast<std::int64_t>(2 * (draw >> (64 - bits)) + 1);
  const auto scale = std::int64_t{1} << bits;
  return static_cast<double>(odd - scale) / static_cast<double>(scale);
}

/// One of ±1 … ±largest, each as likely: the draw's upper half scaled to 2 * largest values.
std::int32_t small_integer(std::uint64_t draw, std::int32_t largest) {
  const auto choices = 2 * static_cast<std::uint64_t>(largest);
  const auto value = static_cast<std::int32_t>(((draw >> 32) * choices) >> 32) - largest;
  return value < 0 ? value : value + 1;
}

struct Range {
  std::int32_t lower;
  std::int32_t upper;
};

Range range_of(DataType type) {
  const auto bits = bits_of(type);
  const bool is_signed = type == DataType::i8 || type == DataType::i4;
  const auto half = std::int32_t{1} << (bits - 1);
  return is_signed ? Range{-half, half - 1} : Range{0, 2 * half - 1};
}

double implied_zero(DataType type) {
  if (type == DataType::u8) return 128;
  return type == DataType::u4 ? 8 : 0;
}

class Writer {
 public:
  Writer(const Problem& problem, Numbers numbers, std::uint64_t seed, std::uint64_t largest_bytes)
      : made_(make_poisoned(problem, largest_bytes)),
        problem_(problem),
        integers_(numbers == Numbers::integers),
        range_(integer_range(problem)),
        random_(seed) {}

  HostProblem write() && {
    if (problem_.m == 0 || problem_.n == 0 || problem_.batch.count() == 0) return std::move(made_);
    fill(Matrix::a, BufferRole::a);
    if (problem_.quantization.block != 0) {
      fill_quantised();
    } else {
      fill(Matrix::b, BufferRole::b);
    }
    if (problem_.beta != 0) fill(Matrix::c, BufferRole::c);
    if (problem_.epilogue.add_residual) fill(Matrix::residual, BufferRole::residual);
    for (std::uint64_t i = 0; i < bias_length(problem_); ++i) {
      put(BufferRole::bias, problem_.epilogue.bias_type, i, number(problem_.epilogue.bias_type));
    }
    return std::move(made_);
  }

 private:
  void put(BufferRole role, DataType type, std::uint64_t index, double value) {
    write_element(type, made_.at(role), index, value);
  }

  double whole(Range range) {
    const auto choices = static_cast<std::uint64_t>(std::int64_t{range.upper} - range.lower + 1);
    return static_cast<double>(range.lower + static_cast<std::int64_t>(((random_() >> 32) * choices) >> 32));
  }

  double number(DataType type) {
    if (type == DataType::i32) {
      return integers_ ? small_integer(random_(), 3)
                       : static_cast<double>(static_cast<std::int32_t>(random_() >> 32));
    }
    if (!is_floating(type)) {
      if (integers_) return integer_of(type);
      auto range = range_of(type);
      const auto most = largest_operand_integer();
      return whole({std::max(range.lower, -most), std::min(range.upper, most)});
    }
    return integers_ ? small_integer(random_(), range_.largest)
                     : odd_fraction(random_(), type == DataType::f32 ? 24 : 14);
  }

  double integer_of(DataType type) {
    const auto value = small_integer(random_(), range_.largest);
    return type == DataType::u8 ? std::abs(value) : value;
  }

  /// So that sums of integers stay in the range of a C of f16, alpha included.
  [[nodiscard]] std::int32_t largest_operand_integer() const {
    if (problem_.c.type != DataType::f16) return 255;
    const double terms = static_cast<double>(std::max<std::uint64_t>(problem_.k, 1)) *
                         std::max(1.0F, std::abs(problem_.alpha));
    return static_cast<std::int32_t>(std::clamp(std::sqrt(30000 / terms), 1.0, 255.0));
  }

  /// Every matrix of the batch, each once where it is broadcast.
  void fill(Matrix matrix, BufferRole role) {
    const auto& layout = layout_of(problem_, matrix);
    const auto shape = stored_shape(problem_, matrix);
    const bool by_row = layout.order == Order::row_major;
    const auto lines = by_row ? shape.rows : shape.cols;
    const auto length = by_row ? shape.cols : shape.rows;
    const auto ld = leading_dimension(problem_, matrix);
    // A of sparse integers: k runs along the stored columns, unless A is transposed.
    const bool sparse = matrix == Matrix::a && integers_ && range_.stride > 1;
    const bool k_along_line = by_row != is_transposed(problem_, matrix);
    std::unordered_set<std::uint64_t> filled;
    for (std::uint64_t product = 0; product < problem_.batch.count(); ++product) {
      const auto start = first_element(problem_, matrix, product);
      if (!filled.insert(start).second) continue;
      for (std::uint64_t line = 0; line < lines; ++line) {
        for (std::uint64_t i = 0; i < length; ++i) {
          const bool zero = sparse && (k_along_line ? i : line) % range_.stride != 0;
          put(role, layout.type, start + line * ld + i, zero ? 0 : number(layout.type));
        }
      }
    }
  }

  /// Columns of op(B), each of blocks with a scale and a zero point of their own.
  void fill_quantised() {
    const auto& [block, scale_type, zeros] = problem_.quantization;
    const auto type = problem_.b.type;
    const auto range = range_of(type);
    const auto blocks = quantization_blocks(problem_);
    const auto ld = leading_dimension(problem_, Matrix::b);
    // 4-bit zero points: every row starts at a whole byte.
    const auto zeros_ld = bits_of(type) < 8 ? (blocks + 1) / 2 * 2 : blocks;
    for (std::uint64_t col = 0; col < problem_.n; ++col) {
      for (std::uint64_t i = 0; i < blocks; ++i) {
        put(BufferRole::scales, scale_type, col * blocks + i, scale());
        double zero = implied_zero(type);
        if (zeros) {
          zero = whole(range);
          put(BufferRole::zeros, type, col * zeros_ld + i, zero);
        }
        const auto end = std::min<std::uint64_t>(problem_.k, (i + 1) * block);
        for (auto k = i * block; k < end; ++k) {
          put(BufferRole::b, type, problem_.b.offset + col * ld + k, weight(range, zero));
        }
      }
    }
  }

  double scale() {
    const double sign = (random_() & 1U) != 0 ? -1 : 1;
    if (integers_) return sign * ((random_() & 1U) != 0 ? 2 : 1);
    // In [0.5, 1) over the largest difference of weight and zero point.
    return sign * (1 + static_cast<double>(random_() >> 54) * 0x1p-10) *
           std::ldexp(0.5, -static_cast<int>(bits_of(problem_.b.type)));
  }

  double weight(Range range, double zero) {
    if (!integers_) return whole(range);
    const double value = zero + small_integer(random_(), range_.largest);
    if (value < range.lower || value > range.upper) return zero <= range.lower ? zero + 1 : zero - 1;
    return value;
  }

  HostProblem made_;
  const Problem& problem_;
  bool integers_;
  IntegerRange range_;
  std::mt19937_64 random_;
};

}  // namespace

HostProblem make_inputs(const Problem& problem, Numbers numbers, std::uint64_t seed,
                        std::uint64_t largest_bytes) {
  return Writer(problem, numbers, seed, largest_bytes).write();
}

IntegerRange integer_range(const Problem& problem) {
  const bool half = problem.accumulate == Accumulate::f16;
  // Scales of up to 2 double what a term can be.
  const auto terms = static_cast<double>(problem.k) * (problem.quantization.block != 0 ? 2 : 1);
  const double largest = half || problem.c.type == DataType::f16 ? 0x1p11 : 0x1p24;
  IntegerRange range;
  while (range.largest > 1 && terms * range.largest * range.largest > largest) --range.largest;
  const double most_terms = half ? 0x1p11 : 0x1p24;
  range.stride = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(terms / most_terms)));
  return range;
}

}  // namespace wgemm::verify
