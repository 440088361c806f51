#include "verify/source.hpp"

#include "verify/elements.hpp"

namespace wgemm::verify {

Source::Source(const HostProblem& given, Matrix matrix, std::uint64_t product)
    : given_(given),
      type_(layout_of(given.problem, matrix).type),
      quantised_(matrix == Matrix::b && given.problem.quantization.block != 0),
      memory_(given[matrix == Matrix::a ? BufferRole::a : BufferRole::b]),
      start_(first_element(given.problem, matrix, product)) {
  const auto ld = leading_dimension(given.problem, matrix);
  const bool by_row =
      (layout_of(given.problem, matrix).order == Order::row_major) != is_transposed(given.problem, matrix);
  row_step_ = by_row ? ld : 1;
  col_step_ = by_row ? 1 : ld;
}

void Source::read_row(std::uint64_t row, std::uint64_t first, std::span<double> values) const {
  read_elements(type_, memory_, start_ + row * row_step_ + first * col_step_, col_step_, values);
}

void Source::read_col(std::uint64_t col, std::uint64_t first, std::span<double> values) const {
  read_elements(type_, memory_, start_ + col * col_step_ + first * row_step_, row_step_, values);
  if (quantised_) dequantise(col, first, values);
}

void Source::dequantise(std::uint64_t col, std::uint64_t first, std::span<double> weights) const {
  const auto& problem = given_.problem;
  const auto& [block, scale_type, zeros] = problem.quantization;
  const auto blocks = quantization_blocks(problem);
  const auto zeros_ld = bits_of(type_) < 8 ? (blocks + 1) / 2 * 2 : blocks;
  for (std::uint64_t i = 0; i < weights.size(); ++i) {
    const auto at = (first + i) / block;
    const double scale = read_element(scale_type, given_[BufferRole::scales], col * blocks + at);
    double zero = type_ == DataType::u8 ? 128 : type_ == DataType::u4 ? 8 : 0;
    if (zeros) zero = read_element(type_, given_[BufferRole::zeros], col * zeros_ld + at);
    weights[i] = scale * (weights[i] - zero);
  }
}

}  // namespace wgemm::verify
