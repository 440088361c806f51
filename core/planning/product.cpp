#include "core/planning/product.hpp"

#include <utility>

namespace wgemm::planning {

DataType sum_type(const Problem& problem) {
  if (!is_floating(problem.a.type)) return DataType::i32;
  return problem.accumulate == Accumulate::f16 ? DataType::f16 : DataType::f32;
}

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
                  problem.epilogue.bias,
                  batch.rank,
                  batch.extents,
                  sum_type(problem)};
  if (product.c.row_major) return product;
  std::swap(product.m, product.n);
  std::swap(product.a, product.b);
  for (auto* operand : {&product.a, &product.b, &product.c, &product.residual})
    *operand = transposed(*operand);
  if (product.bias != Bias::none) {
    product.bias = product.bias == Bias::per_row ? Bias::per_column : Bias::per_row;
  }
  return product;
}

}  // namespace wgemm::planning
