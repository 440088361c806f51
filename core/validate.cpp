// What is wrong with a problem on every device.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/batch_overlap.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {
namespace {

Result<void> check_size(std::string_view name, std::uint64_t value) {
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorCode::invalid_argument, std::string(name),
                std::string(name) + " = " + std::to_string(value) + " does not fit 32 bits");
  }
  return {};
}

/// Elements of one matrix from its first to behind its last, in floating point: sizes may be absurd.
double span(const Problem& problem, Matrix matrix) {
  const auto shape = stored_shape(problem, matrix);
  if (shape.rows == 0 || shape.cols == 0) return 0;
  const bool by_row = layout_of(problem, matrix).order == Order::row_major;
  const auto lines = static_cast<double>(by_row ? shape.rows : shape.cols);
  const auto length = static_cast<double>(by_row ? shape.cols : shape.rows);
  return (lines - 1) * static_cast<double>(leading_dimension(problem, matrix)) + length;
}

/// Elements of the buffer that the matrix of a problem reaches, without overflow.
double reach(const Problem& problem, Matrix matrix) {
  double elements = span(problem, matrix);
  const auto& batch = problem.batch;
  if (elements == 0 || batch.count() == 0) return 0;
  if (!batch.table.empty()) {
    double furthest = 0;
    for (std::uint64_t i = 0; i < batch.count(); ++i) {
      furthest = std::max(furthest, static_cast<double>(first_element(problem, matrix, i)));
    }
    return elements + furthest;
  }
  elements += static_cast<double>(layout_of(problem, matrix).offset);
  for (std::uint32_t d = 0; d < batch.rank; ++d) {
    elements +=
        static_cast<double>(batch.extents.at(d) - 1) * static_cast<double>(strides_of(batch, matrix).at(d));
  }
  return elements;
}

Result<void> check_layout(std::string_view name, const Problem& problem, Matrix matrix) {
  const auto& layout = layout_of(problem, matrix);
  const auto shape = stored_shape(problem, matrix);
  const bool by_row = layout.order == Order::row_major;
  const auto length = by_row ? shape.cols : shape.rows;
  const auto argument = "ld" + std::string(name);
  if (layout.ld != 0 && layout.ld < length) {
    return fail(ErrorCode::invalid_argument, argument,
                argument + " = " + std::to_string(layout.ld) + " is shorter than " +
                    (by_row ? "a row" : "a column") + " of " + std::to_string(length) + " elements");
  }
  if (layout.offset > std::uint64_t{1} << 60) {
    return fail(ErrorCode::invalid_argument, std::string(name) + ".offset",
                std::string(name) + ".offset = " + std::to_string(layout.offset) + " is beyond element 2^60");
  }
  // Indices within a binding have 32 bits, those within a buffer 64; so far no sum of them overflows.
  if (reach(problem, matrix) > 0x1p60) {
    return fail(ErrorCode::invalid_argument, argument,
                "matrix " + std::string(name) + " reaches beyond element 2^60 of its buffer");
  }
  return {};
}

tl::unexpected<Error> wrong_type(std::string_view argument, DataType given, std::string_view right) {
  return fail(ErrorCode::invalid_argument, std::string(argument),
              std::string(argument) + " = " + std::string(to_string(given)) + "; " + std::string(right));
}

/// Values that come from elsewhere (another language, a file) may be none of the enumeration.
template <typename Enumeration>
Result<void> check_enumerator(std::string_view name, Enumeration value, Enumeration last) {
  if (value <= last) return {};
  return fail(ErrorCode::invalid_argument, std::string(name),
              std::string(name) + " = " + std::to_string(static_cast<unsigned>(value)) +
                  " is no value of its enumeration, which ends with " +
                  std::to_string(static_cast<unsigned>(last)));
}

Result<void> check_layout_enumerators(std::string_view name, const MatrixLayout& layout) {
  const std::string prefix = std::string(name) + ".";
  if (auto done = check_enumerator(prefix + "type", layout.type, DataType::u4); !done) return done;
  return check_enumerator(prefix + "order", layout.order, Order::col_major);
}

Result<void> check_enumerators(const Problem& problem) {
  const auto& epilogue = problem.epilogue;
  for (const auto& [name, layout] : {std::pair{"a", &problem.a},
                                     {"b", &problem.b},
                                     {"c", &problem.c},
                                     {"epilogue.residual", &epilogue.residual}}) {
    if (auto done = check_layout_enumerators(name, *layout); !done) return done;
  }
  const std::array checks{
      check_enumerator("trans_a", problem.trans_a, Transpose::transpose),
      check_enumerator("trans_b", problem.trans_b, Transpose::transpose),
      check_enumerator("accumulate", problem.accumulate, Accumulate::f16),
      check_enumerator("quantization.scale_type", problem.quantization.scale_type, DataType::u4),
      check_enumerator("epilogue.bias", epilogue.bias, Bias::per_column),
      check_enumerator("epilogue.bias_type", epilogue.bias_type, DataType::u4),
      check_enumerator("epilogue.activation", epilogue.activation, Activation::clamp)};
  const auto bad = std::ranges::find_if(checks, [](const auto& done) { return !done; });
  return bad == checks.end() ? Result<void>() : *bad;
}

Result<void> check_quantization(const Problem& problem) {
  const auto& [block, scale_type, zeros] = problem.quantization;
  if (block < 16 || block > 1024 || (block & (block - 1)) != 0) {
    return fail(ErrorCode::invalid_argument, "quantization.block",
                "quantization.block = " + std::to_string(block) + " is no power of two from 16 to 1024");
  }
  if (!is_floating(scale_type))
    return wrong_type("quantization.scale_type", scale_type, "scales are f32 or f16");
  if (is_floating(problem.b.type) || problem.b.type == DataType::i32) {
    return wrong_type("b.type", problem.b.type, "a quantised B is i4, u4, i8 or u8");
  }
  if (!is_floating(problem.a.type)) {
    return wrong_type("a.type", problem.a.type, "a quantised B is multiplied by an A of f32 or f16");
  }
  const bool by_column = (problem.b.order == Order::col_major) != is_transposed(problem, Matrix::b);
  if (!by_column) {
    return fail(ErrorCode::invalid_argument, "b.order",
                "a quantised B is stored by columns of op(B): col_major, or row_major and transposed");
  }
  if (leading_dimension(problem, Matrix::b) % block != 0 || problem.b.offset % block != 0) {
    return fail(
        ErrorCode::invalid_argument, problem.b.offset % block != 0 ? "b.offset" : "ldb",
        "leading dimension and offset of a quantised B are multiples of its block, " + std::to_string(block));
  }
  bool batched = false;
  for (std::uint32_t d = 0; d < problem.batch.rank; ++d) batched = batched || problem.batch.b.at(d) != 0;
  for (const auto& entry : problem.batch.table) batched = batched || entry.b != 0;
  if (batched) {
    return fail(ErrorCode::invalid_argument, "batch.b", "a batch shares one quantised B: its strides are 0");
  }
  return {};
}

Result<void> check_types(const Problem& problem) {
  const auto a = problem.a.type;
  const auto b = problem.b.type;
  if (problem.quantization.block != 0) {
    if (auto done = check_quantization(problem); !done) return done;
  } else if (!is_floating(a) && !is_byte(a)) {
    return wrong_type("a.type", a, "A is f32, f16, i8 or u8");
  } else if (is_byte(a) ? !is_byte(b) : a != b) {
    return fail(ErrorCode::invalid_argument, "b.type",
                "A is " + std::string(to_string(a)) + " and B is " + std::string(to_string(b)) +
                    "; both operands have one type, or are of i8 and u8, or B is quantised");
  }
  const bool integers = is_byte(a);
  if (!is_floating(problem.c.type) && !(integers && problem.c.type == DataType::i32)) {
    return wrong_type("c.type", problem.c.type,
                      integers ? "C is i32, f32 or f16" : "C of floating-point operands is f32 or f16");
  }
  if (problem.accumulate == Accumulate::f16 && a != DataType::f16) {
    return fail(ErrorCode::invalid_argument, "accumulate",
                "accumulate = f16 goes with an A of f16; A is " + std::string(to_string(a)));
  }
  const auto& epilogue = problem.epilogue;
  if (epilogue.bias != Bias::none && !is_floating(epilogue.bias_type)) {
    return wrong_type("epilogue.bias_type", epilogue.bias_type, "a bias is f32 or f16");
  }
  if (epilogue.add_residual && !is_floating(epilogue.residual.type)) {
    return wrong_type("epilogue.residual.type", epilogue.residual.type, "a residual is f32 or f16");
  }
  if (problem.c.type == DataType::i32) {
    if (problem.alpha != 1) {
      return fail(ErrorCode::invalid_argument, "alpha",
                  "alpha = " + std::to_string(problem.alpha) + "; with a C of i32 it is 1");
    }
    if (problem.beta != 0 && problem.beta != 1) {
      return fail(ErrorCode::invalid_argument, "beta",
                  "beta = " + std::to_string(problem.beta) + "; with a C of i32 it is 0 or 1");
    }
    if (!epilogue.empty()) {
      return fail(ErrorCode::invalid_argument, "epilogue",
                  "a C of i32 takes no bias, activation or residual; one of f32 does");
    }
  }
  return {};
}

Result<void> check_batch(const Batch& batch) {
  if (batch.rank > kMaxBatchRank) {
    return fail(ErrorCode::invalid_argument, "batch.rank",
                "batch.rank = " + std::to_string(batch.rank) + "; at most " + std::to_string(kMaxBatchRank) +
                    " dimensions are possible");
  }
  if (!batch.table.empty() && batch.rank != 0) {
    return fail(ErrorCode::invalid_argument, "batch.table",
                "a batch has either a table or strides; with a table batch.rank is 0, and it is " +
                    std::to_string(batch.rank));
  }
  double count = static_cast<double>(std::max<std::size_t>(batch.table.size(), 1));
  for (std::uint32_t d = 0; d < batch.rank; ++d) {
    count *= static_cast<double>(batch.extents.at(d));
    if (batch.extents.at(d) > 1 && batch.c.at(d) == 0) {
      return fail(ErrorCode::invalid_argument, "batch.c",
                  "batch.c[" + std::to_string(d) + "] = 0: the products of a batch cannot share one C");
    }
  }
  if (count > static_cast<double>(std::numeric_limits<std::uint32_t>::max())) {
    return fail(ErrorCode::invalid_argument, "batch.extents", "the batch has more than 2^32 - 1 products");
  }
  return {};
}

}  // namespace

Result<void> validate(const Problem& problem) {
  for (const auto& [name, value] : {std::pair{"m", problem.m}, {"n", problem.n}, {"k", problem.k}}) {
    if (auto done = check_size(name, value); !done) return done;
  }
  // In this order: what comes later relies on what came before.
  if (auto done = check_enumerators(problem); !done) return done;
  if (auto done = check_batch(problem.batch); !done) return done;
  if (auto done = check_types(problem); !done) return done;
  for (const auto& [name, matrix] : {std::pair{"a", Matrix::a}, {"b", Matrix::b}, {"c", Matrix::c}}) {
    if (auto done = check_layout(name, problem, matrix); !done) return done;
  }
  if (outputs_overlap(problem)) {
    return fail(ErrorCode::invalid_argument, problem.batch.table.empty() ? "batch.c" : "batch.table",
                "two products of the batch have elements of C in common; each needs its own");
  }
  const auto& epilogue = problem.epilogue;
  if (epilogue.add_residual) {
    if (auto done = check_layout("residual", problem, Matrix::residual); !done) return done;
  }
  // Written so that NaN fails too.
  if (epilogue.activation == Activation::clamp && !(epilogue.lower <= epilogue.upper)) {
    return fail(ErrorCode::invalid_argument, "epilogue.lower",
                "clamp to [" + std::to_string(epilogue.lower) + ", " + std::to_string(epilogue.upper) +
                    "] is no interval");
  }
  return {};
}

}  // namespace wgemm
