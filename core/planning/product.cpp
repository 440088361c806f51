#include "core/planning/product.hpp"

#include <utility>

namespace wgemm::planning {
namespace {

/// C^T = B^T A^T.
void exchange(Product& product) {
  std::swap(product.m, product.n);
  std::swap(product.a, product.b);
  for (auto* operand : {&product.a, &product.b, &product.c, &product.residual})
    *operand = transposed(*operand);
  if (product.bias != Bias::none) {
    product.bias = product.bias == Bias::per_row ? Bias::per_column : Bias::per_row;
  }
}

DataType sum_type(const Problem& problem) {
  if (!is_floating(problem.a.type)) return DataType::i32;
  return problem.accumulate == Accumulate::f16 ? DataType::f16 : DataType::f32;
}

}  // namespace

DataType partial_type(const Product& product) {
  return product.sum == DataType::i32 ? DataType::i32 : DataType::f32;
}

Product row_major_product(const Problem& problem) {
  const auto batch = batch_shape(problem);
  Product product{problem.m,
                  problem.n,
                  problem.k,
                  make_operand(problem, Matrix::a, 0),
                  make_operand(problem, Matrix::b, 1),
                  make_operand(problem, Matrix::c, 2),
                  make_operand(problem, Matrix::residual, 4),
                  problem.epilogue.add_residual,
                  problem.epilogue.bias,
                  problem.epilogue.bias_type,
                  batch.rank,
                  batch.extents,
                  problem.alpha,
                  problem.beta};
  product.sum = sum_type(problem);
  if (!product.c.row_major) exchange(product);
  return product;
}

Product oriented_product(const Problem& problem, kernels::Access access) {
  auto product = row_major_product(problem);
  if (kernels::is_skinny(access) && product.n < product.m) exchange(product);
  return product;
}

}  // namespace wgemm::planning
