#include "cli/product/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/product/shapes.hpp"

namespace wgemm::cli {
namespace {

tl::unexpected<Error> wrong(std::string argument, std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(argument), std::move(message));
}

Result<void> check_type(const Array& array) {
  if (array.type != DataType::i32) return {};
  return wrong("dtype", fmt::format("'{}' has dtype int32; wgemm multiplies float32, float16, int8 and uint8 "
                                    "(numpy: .astype(numpy.float32))",
                                    array.name));
}

/// Both factors in types that go together. float16 beside float32 becomes float32, as in NumPy; gives a
/// sentence on that.
Result<std::string> match_types(ProductInputs& inputs) {
  auto& a = inputs.a;
  auto& b = inputs.b;
  if (auto done = check_type(a); !done) return tl::unexpected(done.error());
  if (inputs.weights) {
    if (is_floating(a.type)) return {};
    return wrong("dtype", fmt::format("'{}' is {}; quantised weights are multiplied by float32 or float16",
                                      a.name, numpy_name(a.type)));
  }
  if (auto done = check_type(b); !done) return tl::unexpected(done.error());
  if (a.type == b.type || (is_byte(a.type) && is_byte(b.type))) return {};
  if (is_floating(a.type) && is_floating(b.type)) {
    auto& half = a.type == DataType::f16 ? a : b;
    half = widened(half);
    return fmt::format("'{}' is float16 and was converted to float32, the type of the other matrix",
                       half.name);
  }
  return wrong("dtype", fmt::format("'{}' is {} and '{}' is {}; both are floating-point or both are 8-bit "
                                    "integers (`wgemm quantize` makes weights for a floating-point matrix)",
                                    a.name, numpy_name(a.type), b.name, numpy_name(b.type)));
}

/// Integers without their memory: what find_shapes needs to know of them.
Array outline(const Weights& weights) {
  return {weights.name, weights.type(), {weights.k, weights.n}, {1, weights.blocks() * weights.block}, {}};
}

void quantize(Problem& problem, const Weights& weights) {
  problem.b = {weights.type(), Order::col_major, weights.blocks() * weights.block, 0};
  problem.quantization = {weights.block, weights.scales.type, weights.zeros.has_value()};
}

Result<void> set_beta(Problem& problem, Product& product, const ProductOptions& options) {
  const auto& c = product.inputs.c;
  problem.beta = options.beta.value_or(c ? 1.0F : 0.0F);
  if (!c) {
    if (problem.beta == 0) return {};
    return wrong("--beta", fmt::format("--beta: {} scales the matrix that --c names, and there is no --c",
                                       problem.beta));
  }
  const auto& out = product.out;
  if (c->shape != out.shape || c->type != out.type) {
    return wrong(c->name, fmt::format("--c: '{}' is {} of shape {}; the result is {} of shape {}{}", c->name,
                                      numpy_name(c->type), shape_text(c->shape), numpy_name(out.type),
                                      shape_text(out.shape), c->type != out.type ? ", see --out-dtype" : ""));
  }
  if (problem.beta != 0) copy_elements(*c, product.out);
  return {};
}

Result<void> set_bias(Problem& problem, const std::optional<Array>& bias, Bias by) {
  if (!bias) return {};
  problem.epilogue.bias = by;
  problem.epilogue.bias_type = bias->type;
  const auto length = bias_length(problem);
  if (bias->shape != Sizes{length}) {
    return wrong(
        bias->name,
        fmt::format("--bias: '{}' has shape {}; one element for each {} of the result is {}", bias->name,
                    shape_text(bias->shape), by == Bias::per_row ? "row" : "column", shape_text({length})));
  }
  if (!is_floating(bias->type)) {
    return wrong(bias->name, fmt::format("--bias: '{}' is {}; a bias is float32 or float16", bias->name,
                                         numpy_name(bias->type)));
  }
  return {};
}

}  // namespace

Error with_option(Error error) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kOptions{
      {{"alpha", "--alpha"},
       {"beta", "--beta"},
       {"accumulate", "--accumulate"},
       {"c.type", "--out-dtype"},
       {"epilogue", "--out-dtype"},
       {"epilogue.lower", "--act"},
       {"memory_cap", "--memory-cap"}}};
  for (const auto& [argument, option] : kOptions) {
    if (error.argument != argument) continue;
    error.argument = option;
    error.message = fmt::format("{}: {}", option, error.message);
    break;
  }
  return error;
}

Context::HostOperands Product::operands() {
  Context::HostOperands spans;
  spans.a = inputs.a.bytes.view();
  spans.b = (inputs.weights ? inputs.weights->q : inputs.b).bytes.view();
  spans.c = out.bytes.own();
  if (inputs.bias) spans.bias = inputs.bias->bytes.view();
  if (inputs.residual) spans.residual = inputs.residual->bytes.view();
  if (inputs.weights) {
    spans.scales = inputs.weights->scales.bytes.view();
    if (inputs.weights->zeros) spans.zeros = inputs.weights->zeros->bytes.view();
  }
  return spans;
}

Result<Product> make_product(ProductInputs inputs, const ProductOptions& options) {
  Product product;
  auto& problem = product.problem;
  if (inputs.weights && options.trans_b) {
    return wrong("--trans-b", fmt::format("--trans-b: '{}' holds quantised weights, with scales along k; "
                                          "quantize the transposed matrix instead",
                                          inputs.weights->name));
  }
  auto note = match_types(inputs);
  if (!note) return tl::unexpected(note.error());
  product.note = std::move(*note);
  auto weights = inputs.weights ? outline(*inputs.weights) : Array();
  auto& b = inputs.weights ? weights : inputs.b;
  const auto shapes = find_shapes(inputs.a, options.trans_a, b, options.trans_b);
  if (!shapes) return tl::unexpected(shapes.error());
  problem.m = shapes->m;
  problem.n = shapes->n;
  problem.k = shapes->k;
  problem.a = shapes->a.layout;
  problem.b = shapes->b.layout;
  if (inputs.weights) quantize(problem, *inputs.weights);
  problem.trans_a = options.trans_a ? Transpose::transpose : Transpose::none;
  problem.trans_b = options.trans_b ? Transpose::transpose : Transpose::none;
  problem.alpha = options.alpha;
  problem.accumulate = options.accumulate;
  auto& epilogue = problem.epilogue;
  epilogue.activation = options.activation;
  epilogue.lower = options.lower;
  epilogue.upper = options.upper;

  Operand residual;
  if (inputs.residual) {
    if (!is_floating(inputs.residual->type)) {
      return wrong(inputs.residual->name,
                   fmt::format("--residual: '{}' is {}; a residual is float32 or float16",
                               inputs.residual->name, numpy_name(inputs.residual->type)));
    }
    auto found = residual_operand(*inputs.residual, *shapes);
    if (!found) return tl::unexpected(found.error());
    residual = std::move(*found);
    epilogue.add_residual = true;
    epilogue.residual = residual.layout;
  }
  auto batch = find_batch(*shapes, inputs.residual ? &residual : nullptr);
  if (!batch) return tl::unexpected(batch.error());
  problem.batch = std::move(*batch);
  if (auto done = set_bias(problem, inputs.bias, options.bias_by); !done) return tl::unexpected(done.error());

  problem.c.type = options.out_type.value_or(is_byte(problem.a.type) ? DataType::i32 : DataType::f32);
  const bool single = shapes->batch.empty() && !shapes->vector_a && !shapes->vector_b;
  problem.c.order = single ? options.order : Order::row_major;
  // Before any memory is taken: two vectors of files can ask for a matrix larger than all memory.
  if (auto valid = validate(problem); !valid) return tl::unexpected(with_option(valid.error()));
  product.out = make_array(problem.c.type, problem.c.order, shapes->result);
  product.inputs = std::move(inputs);
  if (auto done = set_beta(problem, product, options); !done) return tl::unexpected(done.error());
  if (auto valid = validate(problem); !valid) return tl::unexpected(with_option(valid.error()));
  return product;
}

}  // namespace wgemm::cli
