#include "wgemm/problem.hpp"

#include <limits>
#include <utility>

namespace wgemm {

std::uint64_t size_of(DataType type) { return type == DataType::f32 ? 4 : 2; }

std::uint64_t Batch::count() const {
  std::uint64_t product = 1;
  for (std::uint32_t d = 0; d < rank; ++d) product *= extents.at(d);
  return product;
}

bool Epilogue::empty() const { return bias == Bias::none && activation == Activation::none && !add_residual; }

double Problem::flops() const {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
         static_cast<double>(batch.count());
}

Shape stored_shape(const Problem& problem, Matrix matrix) {
  Shape shape{problem.m, problem.n};
  if (matrix == Matrix::a) shape = {problem.m, problem.k};
  if (matrix == Matrix::b) shape = {problem.k, problem.n};
  const bool transposed = (matrix == Matrix::a && problem.trans_a == Transpose::transpose) ||
                          (matrix == Matrix::b && problem.trans_b == Transpose::transpose);
  if (transposed) std::swap(shape.rows, shape.cols);
  return shape;
}

const MatrixLayout& layout_of(const Problem& problem, Matrix matrix) {
  switch (matrix) {
    case Matrix::a:
      return problem.a;
    case Matrix::b:
      return problem.b;
    case Matrix::c:
      return problem.c;
    case Matrix::residual:
      return problem.epilogue.residual;
  }
  return problem.c;
}

std::uint64_t leading_dimension(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols) {
  if (layout.ld != 0) return layout.ld;
  return layout.order == Order::row_major ? cols : rows;
}

namespace {

const std::array<std::uint64_t, kMaxBatchRank>& strides_of(const Batch& batch, Matrix matrix) {
  switch (matrix) {
    case Matrix::a:
      return batch.a;
    case Matrix::b:
      return batch.b;
    case Matrix::c:
      return batch.c;
    case Matrix::residual:
      return batch.residual;
  }
  return batch.c;
}

/// Elements of one matrix from its first to behind its last, in floating point: sizes may be absurd.
double span(const MatrixLayout& layout, const Shape& shape) {
  if (shape.rows == 0 || shape.cols == 0) return 0;
  const bool by_row = layout.order == Order::row_major;
  const auto lines = static_cast<double>(by_row ? shape.rows : shape.cols);
  const auto length = static_cast<double>(by_row ? shape.cols : shape.rows);
  return (lines - 1) * static_cast<double>(leading_dimension(layout, shape.rows, shape.cols)) + length;
}

/// Elements of the buffer that the matrix of a problem reaches, without overflow.
double reach(const Problem& problem, Matrix matrix) {
  const auto& layout = layout_of(problem, matrix);
  double elements = span(layout, stored_shape(problem, matrix));
  if (elements == 0 || problem.batch.count() == 0) return 0;
  elements += static_cast<double>(layout.offset);
  for (std::uint32_t d = 0; d < problem.batch.rank; ++d) {
    elements += static_cast<double>(problem.batch.extents.at(d) - 1) *
                static_cast<double>(strides_of(problem.batch, matrix).at(d));
  }
  return elements;
}

}  // namespace

std::uint64_t size_in_bytes(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols) {
  if (rows == 0 || cols == 0) return 0;
  const bool by_row = layout.order == Order::row_major;
  const auto lines = by_row ? rows : cols;
  const auto length = by_row ? cols : rows;
  return (layout.offset + (lines - 1) * leading_dimension(layout, rows, cols) + length) *
         size_of(layout.type);
}

std::uint64_t buffer_bytes(const Problem& problem, Matrix matrix) {
  if (matrix == Matrix::residual && !problem.epilogue.add_residual) return 0;
  if (problem.m == 0 || problem.n == 0 || problem.batch.count() == 0) return 0;
  const auto shape = stored_shape(problem, matrix);
  const auto& layout = layout_of(problem, matrix);
  auto bytes = size_in_bytes(layout, shape.rows, shape.cols);
  if (bytes == 0) return 0;
  for (std::uint32_t d = 0; d < problem.batch.rank; ++d) {
    bytes +=
        (problem.batch.extents.at(d) - 1) * strides_of(problem.batch, matrix).at(d) * size_of(layout.type);
  }
  return bytes;
}

std::uint64_t bias_length(const Problem& problem) {
  if (problem.epilogue.bias == Bias::none) return 0;
  return problem.epilogue.bias == Bias::per_row ? problem.m : problem.n;
}

namespace {

Result<void> check_size(std::string_view name, std::uint64_t value) {
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorCode::invalid_argument, std::string(name),
                std::string(name) + " = " + std::to_string(value) + " does not fit 32 bits");
  }
  return {};
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
  if (reach(problem, matrix) > static_cast<double>(std::numeric_limits<std::uint32_t>::max())) {
    return fail(ErrorCode::unsupported, argument,
                "matrix " + std::string(name) + " reaches beyond element 2^32 - 1 of its buffer");
  }
  return {};
}

Result<void> check_batch(const Batch& batch) {
  if (batch.rank > kMaxBatchRank) {
    return fail(ErrorCode::invalid_argument, "batch.rank",
                "batch.rank = " + std::to_string(batch.rank) + "; at most " + std::to_string(kMaxBatchRank) +
                    " dimensions are possible");
  }
  double count = 1;
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
  if (problem.a.type != problem.b.type) {
    return fail(ErrorCode::invalid_argument, "b.type",
                "A is " + std::string(to_string(problem.a.type)) + " and B is " +
                    std::string(to_string(problem.b.type)) + "; both operands have one type");
  }
  if (auto done = check_batch(problem.batch); !done) return done;
  for (const auto& [name, matrix] : {std::pair{"a", Matrix::a}, {"b", Matrix::b}, {"c", Matrix::c}}) {
    if (auto done = check_layout(name, problem, matrix); !done) return done;
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
