#include "verify/inputs.hpp"

#include <random>

namespace wgemm::verify {
namespace {

/// Puts draw(k) into every element, in the order of memory. `k_along_line` says which index is k.
template <typename Element, typename Draw>
void fill_elements(HostMatrix& matrix, bool k_along_line, const Draw& draw) {
  auto* const elements = matrix.elements<Element>();
  const auto length = matrix.line_length();
  for (std::uint64_t line = 0; line < matrix.lines(); ++line) {
    auto* const first = elements + line * matrix.ld();
    for (std::uint64_t i = 0; i < length; ++i) first[i] = Element(draw(k_along_line ? i : line));
  }
}

template <typename Draw>
HostMatrix make_operand(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols, bool k_is_column,
                        std::uint64_t largest_bytes, const Draw& draw) {
  auto matrix = make_poisoned(layout, rows, cols, largest_bytes);
  const bool k_along_line = (layout.order == Order::row_major) == k_is_column;
  if (layout.type == DataType::f32) {
    fill_elements<float>(matrix, k_along_line, draw);
  } else {
    fill_elements<Half>(matrix, k_along_line, draw);
  }
  return matrix;
}

/// An odd multiple of 2^-bits in (-1, 1), from the top bits of a draw. std::uniform_real_distribution would
/// give other numbers with each standard library.
float odd_fraction(std::uint64_t draw, int bits) {
  const auto odd = static_cast<std::int64_t>(2 * (draw >> (64 - bits)) + 1);
  const auto scale = std::int64_t{1} << bits;
  return static_cast<float>(odd - scale) / static_cast<float>(scale);
}

/// One of ±1 … ±largest, each as likely: the draw's upper half scaled to 2 * largest values.
float small_integer(std::uint64_t draw, std::int32_t largest) {
  const auto choices = 2 * static_cast<std::uint64_t>(largest);
  const auto value = static_cast<std::int32_t>(((draw >> 32) * choices) >> 32) - largest;
  return static_cast<float>(value < 0 ? value : value + 1);
}

}  // namespace

Operands uniform_operands(const Problem& problem, std::uint64_t seed, std::uint64_t largest_bytes) {
  std::mt19937_64 random(seed);
  const auto draw = [&](std::uint64_t) {
    return odd_fraction(random(), problem.a.type == DataType::f32 ? 24 : 14);
  };
  auto a = make_operand(problem.a, problem.m, problem.k, true, largest_bytes, draw);
  auto b = make_operand(problem.b, problem.k, problem.n, false, largest_bytes, draw);
  return {std::move(a), std::move(b)};
}

Operands integer_operands(const Problem& problem, std::uint64_t seed, std::uint64_t largest_bytes) {
  std::mt19937_64 random(seed);
  const auto range = integer_range(problem.k, problem.c.type);
  const auto draw = [&](std::uint64_t) { return small_integer(random(), range.largest); };
  const auto sparse = [&](std::uint64_t k) { return k % range.stride == 0 ? draw(k) : 0.0F; };
  auto a = make_operand(problem.a, problem.m, problem.k, true, largest_bytes, sparse);
  auto b = make_operand(problem.b, problem.k, problem.n, false, largest_bytes, draw);
  return {std::move(a), std::move(b)};
}

IntegerRange integer_range(std::uint64_t k, DataType c_type) {
  const auto terms = static_cast<double>(k);
  IntegerRange range;
  while (range.largest > 1 && terms * range.largest * range.largest > largest_exact_integer(c_type))
    --range.largest;
  const auto most_terms = static_cast<std::uint64_t>(largest_exact_integer(DataType::f32));
  range.stride = (k + most_terms - 1) / most_terms;
  return range;
}

}  // namespace wgemm::verify
