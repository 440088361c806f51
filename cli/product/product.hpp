// From arrays and what the command line says to a problem, as numpy.matmul would understand it.
#pragma once

#include <optional>
#include <string>

#include "cli/npy/array.hpp"
#include "cli/quantised/weights.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

struct ProductOptions {
  bool trans_a = false;
  bool trans_b = false;
  float alpha = 1;
  std::optional<float> beta;  ///< without it 1 where there is a C, else 0
  Bias bias_by = Bias::per_column;
  Activation activation = Activation::none;
  float lower = 0;
  float upper = 0;
  Accumulate accumulate = Accumulate::standard;
  std::optional<DataType> out_type;  ///< without it i32 for integers, else f32
  Order order = Order::row_major;    ///< of the result
};

struct ProductInputs {
  Array a;
  Array b;                         ///< unused with weights
  std::optional<Weights> weights;  ///< instead of b
  std::optional<Array> c;
  std::optional<Array> bias;
  std::optional<Array> residual;
};

/// A problem with its memory.
struct Product {
  ProductInputs inputs;  ///< as the problem reads them
  Problem problem;
  /// The result, in the shape that NumPy gives it, in the problem's order of C; the old C stands in it where
  /// beta is not 0.
  Array out;
  std::string note;  ///< what was converted, as a sentence; empty mostly

  [[nodiscard]] Context::HostOperands operands();
};

/// Errors: invalid_argument, unsupported; each names the file or the option.
Result<Product> make_product(ProductInputs inputs, const ProductOptions& options);

/// What the library says of a problem, with the option that said it where there is one.
Error with_option(Error error);

}  // namespace wgemm::cli
