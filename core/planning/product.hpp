// The product that kernels carry out: one whose C is row-major.
#pragma once

#include <array>
#include <cstdint>

#include "core/planning/operand.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::planning {

struct Product {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  Operand a;         ///< m x k
  Operand b;         ///< k x n
  Operand c;         ///< m x n, row-major
  Operand residual;  ///< m x n
  Bias bias = Bias::none;
  std::uint32_t rank = 0;
  std::array<std::uint64_t, kMaxRank> extents{};
  DataType sum = DataType::f32;  ///< what products are summed in: f32, f16 or i32
  bool half_words = false;       ///< the device has no shader-f16: halfs lie in words
  std::uint32_t table = 0;       ///< index into Plan::buffers of the batch's table; 0: there is none
};

/// A column-major C is the row-major C of the transposed product, C^T = B^T A^T: then A and B change places,
/// and so do rows and columns in the bias and the residual. Buffers keep their index: 0 is the caller's A, 1
/// B, 2 C, 3 the bias, 4 the residual.
Product row_major_product(const Problem& problem);

/// What products of the problem are summed in.
DataType sum_type(const Problem& problem);

/// What results of parts are kept in until they are added.
DataType partial_type(const Product& product);

}  // namespace wgemm::planning
