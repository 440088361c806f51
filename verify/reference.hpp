// The float64 reference of a product, by OpenBLAS's dgemm: for every type, layout and batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/host_problem.hpp"

namespace wgemm::verify {

/// Some rows of op(A) op(B) and of |op(A)| |op(B)|, which the error bound scales with; both rows x n,
/// row-major.
struct Product {
  std::vector<double> value;
  std::vector<double> magnitude;
};

enum class Magnitude : std::uint8_t { skip, compute };

/// Rows `rows` of one product of the batch, without alpha, beta and epilogue; Product::magnitude only where
/// asked for, otherwise it is empty. Reads the operands as they are stored: f16 operands are judged by their
/// rounded values, quantised weights by scale * (b - zero).
Product reference_rows(const HostProblem& given, std::uint64_t product, std::span<const std::uint64_t> rows,
                       Magnitude magnitude);

/// An upper bound of all magnitudes: k times the largest elements.
double largest_magnitude(const HostProblem& given);

}  // namespace wgemm::verify
