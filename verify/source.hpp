// An operand of a product as float64 numbers, read by rows or columns from wherever and however it is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "verify/host_problem.hpp"

namespace wgemm::verify {

/// op(A) or op(B) of one product of a batch. f16 operands have their rounded values, quantised weights are
/// scale * (b - zero). The problem outlives it.
class Source {
 public:
  /// `matrix` is Matrix::a or Matrix::b.
  Source(const HostProblem& given, Matrix matrix, std::uint64_t product);

  /// Whether consecutive elements of memory are a row; otherwise they are a column, as always with quantised
  /// weights.
  [[nodiscard]] bool rows_are_lines() const { return col_step_ == 1; }

  /// Elements of a row from column `first` on; not of quantised weights.
  void read_row(std::uint64_t row, std::uint64_t first, std::span<double> values) const;
  /// Elements of a column from row `first` on.
  void read_col(std::uint64_t col, std::uint64_t first, std::span<double> values) const;

 private:
  /// Codes of a column into weights, in place.
  void dequantise(std::uint64_t col, std::uint64_t first, std::span<double> weights) const;

  const HostProblem& given_;
  DataType type_;
  bool quantised_;
  std::span<const std::byte> memory_;
  std::uint64_t start_;
  std::uint64_t row_step_;
  std::uint64_t col_step_;
};

}  // namespace wgemm::verify
