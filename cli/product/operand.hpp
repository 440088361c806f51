// An array as the matrices of a product: the two axes of a matrix, and those of a batch in front of them.
#pragma once

#include <cstdint>

#include "cli/npy/array.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

/// Where the matrices of an array lie; strides in elements.
struct Operand {
  Sizes batch;
  Sizes batch_strides;
  std::uint64_t rows = 0;  ///< as stored: before a transposition
  std::uint64_t cols = 0;
  MatrixLayout layout;
};

/// How the matrices of an array of at least two dimensions lie. An array whose rows and columns both have
/// gaps between their elements (a batch in Fortran order) is brought into C order first: `array` changes
/// then.
Operand operand_of(Array& array);

}  // namespace wgemm::cli
