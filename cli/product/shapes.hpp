// The shapes of a product, as numpy.matmul has them.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/npy/array.hpp"
#include "cli/product/operand.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

struct Shapes {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  Operand a;
  Operand b;
  Sizes batch;
  Sizes result;
  bool vector_a = false;  ///< the result has no rows
  bool vector_b = false;  ///< the result has no columns

  [[nodiscard]] std::size_t matrix_axes() const { return result.size() - batch.size(); }
};

/// Shapes of op(a) op(b). A vector becomes a matrix, of one row on the left and one column on the right, and
/// the result loses that axis; `a` and `b` change to that, and to C order where operand_of asks for it.
/// Errors: invalid_argument; each names the files.
Result<Shapes> find_shapes(Array& a, bool trans_a, Array& b, bool trans_b);

/// The residual as matrices: it has the result's shape, or one that is broadcast to it along the batch.
/// Errors: invalid_argument.
Result<Operand> residual_operand(Array& residual, const Shapes& shapes);

/// The batch with the strides that go through it. `residual` may be nullptr. Errors: unsupported (too many
/// dimensions).
Result<Batch> find_batch(const Shapes& shapes, const Operand* residual);

}  // namespace wgemm::cli
