// The product that kernels carry out: one whose C is row-major, or that has few rows.
#pragma once

#include <array>
#include <cstdint>

#include "core/kernels/family.hpp"
#include "core/planning/operand.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::planning {

struct Product {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  Operand a;         ///< m x k
  Operand b;         ///< k x n
  Operand c;         ///< m x n
  Operand residual;  ///< m x n
  bool add_residual = false;
  Bias bias = Bias::none;
  DataType bias_type = DataType::f32;
  std::uint32_t rank = 0;
  Extents extents{};
  float alpha = 1;
  float beta = 0;
  std::uint64_t bias_offset = 0;  ///< elements
  std::uint64_t bias_window = 0;  ///< bytes, as Binding states them
  std::uint64_t bias_bytes = 0;
  DataType sum = DataType::f32;  ///< what products are summed in: f32, f16 or i32
  bool half_words = false;       ///< the device has no shader-f16: halfs lie in words
  std::uint32_t table = 0;       ///< index into Plan::buffers of the batch's table; 0: there is none
  bool operator==(const Product&) const = default;
};

/// A column-major C is the row-major C of the transposed product, C^T = B^T A^T: then A and B change places,
/// and so do rows and columns in the bias and the residual. Buffers keep their index: 0 is the caller's A, 1
/// B, 2 C, 3 the bias, 4 the residual.
Product row_major_product(const Problem& problem);

/// What results of parts are kept in until they are added: i32 for integers, otherwise f32, also where
/// products are summed in f16.
DataType partial_type(const Product& product);

/// The same for a kernel: those for few rows get the transposed product where C has fewer columns than rows.
Product oriented_product(const Problem& problem, kernels::Access access);

}  // namespace wgemm::planning
