// The rows that run on the CPU: a triple loop, and a BLAS.
#pragma once

#include <cstdint>
#include <functional>

#include "ladder/row.hpp"
#include "verify/inputs.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::ladder {

class HostRows {
 public:
  /// `problem` is of row-major f32 matrices without gaps.
  HostRows(const Problem& problem, std::uint64_t seed);

  /// The triple loop, on as many rows of C as a second allows.
  [[nodiscard]] Row cpu() const;
  /// `progress` hears the fraction done.
  [[nodiscard]] Row blas(const std::function<void(double)>& progress) const;

 private:
  /// Compares rows of C, which may be the first rows of the product only, with a float64 reference.
  void judge(Row& row, const verify::HostMatrix& c) const;

  Problem problem_;
  std::uint64_t seed_;
  verify::Operands operands_;
};

}  // namespace wgemm::ladder
