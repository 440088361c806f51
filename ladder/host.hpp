// The rows that run on the CPU: a triple loop, and a BLAS.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

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
  /// Compares the first `rows` rows of C with a float64 reference.
  void judge(Row& row, std::uint64_t rows, const std::vector<float>& c) const;
  [[nodiscard]] const float* elements(BufferRole role) const;

  std::uint64_t seed_;
  verify::HostProblem given_;
};

}  // namespace wgemm::ladder
