#include "cli/product/shapes.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/product/batch.hpp"

namespace wgemm::cli {
namespace {

tl::unexpected<Error> wrong(std::string argument, std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(argument), std::move(message));
}

/// Gives back the axes that a product with a vector does without.
void add_axes(Array& array, bool row, bool column) {
  const auto last = [&](std::size_t count) {
    return static_cast<std::ptrdiff_t>(array.shape.size() - count);
  };
  if (row) {
    const auto at = last(column ? 0 : 1);
    array.shape.insert(array.shape.begin() + at, 1);
    array.strides.insert(array.strides.begin() + at, array.shape.back());
  }
  if (column) {
    array.shape.push_back(1);
    array.strides.push_back(1);
  }
}

Result<void> check_factor(const Array& array, bool transposed, std::string_view option) {
  if (array.shape.empty()) {
    return wrong("shape", fmt::format("'{}' has shape (): a single number has no rows or columns (numpy: "
                                      ".reshape(1, 1))",
                                      array.name));
  }
  if (transposed && array.shape.size() == 1) {
    return wrong(std::string(option), fmt::format("{}: '{}' has shape {}; only a matrix has a transpose",
                                                  option, array.name, shape_text(array.shape)));
  }
  return {};
}

}  // namespace

Result<Shapes> find_shapes(Array& a, bool trans_a, Array& b, bool trans_b) {
  if (auto done = check_factor(a, trans_a, "--trans-a"); !done) return tl::unexpected(done.error());
  if (auto done = check_factor(b, trans_b, "--trans-b"); !done) return tl::unexpected(done.error());
  const auto given_a = shape_text(a.shape);
  const auto given_b = shape_text(b.shape);
  Shapes shapes;
  shapes.vector_a = a.shape.size() == 1;
  shapes.vector_b = b.shape.size() == 1;
  add_axes(a, shapes.vector_a, false);
  add_axes(b, false, shapes.vector_b);
  shapes.a = operand_of(a);
  shapes.b = operand_of(b);
  shapes.m = trans_a ? shapes.a.cols : shapes.a.rows;
  shapes.k = trans_a ? shapes.a.rows : shapes.a.cols;
  shapes.n = trans_b ? shapes.b.rows : shapes.b.cols;
  if (const auto k = trans_b ? shapes.b.cols : shapes.b.rows; k != shapes.k) {
    return wrong("shape", fmt::format("inner dimensions {} and {} differ: '{}' is {}{} and '{}' is {}{}; the "
                                      "left matrix has as many columns as the right one has rows",
                                      shapes.k, k, a.name, given_a, trans_a ? " transposed" : "", b.name,
                                      given_b, trans_b ? " transposed" : ""));
  }
  auto batch = broadcast(shapes.a.batch, shapes.b.batch);
  if (!batch) {
    return wrong("shape", fmt::format("batches do not broadcast: '{}' is {} and '{}' is {}; in front of the "
                                      "last two dimensions, they are equal from the last on, or one is 1",
                                      a.name, given_a, b.name, given_b));
  }
  shapes.batch = std::move(*batch);
  shapes.result = shapes.batch;
  if (!shapes.vector_a) shapes.result.push_back(shapes.m);
  if (!shapes.vector_b) shapes.result.push_back(shapes.n);
  return shapes;
}

Result<Operand> residual_operand(Array& residual, const Shapes& shapes) {
  const auto rank = residual.shape.size();
  bool fits = rank >= shapes.matrix_axes() && rank <= shapes.result.size();
  for (std::size_t i = 0; fits && i < rank; ++i) {
    const auto extent = residual.shape[rank - 1 - i];
    fits =
        extent == shapes.result[shapes.result.size() - 1 - i] || (i >= shapes.matrix_axes() && extent == 1);
  }
  if (!fits) {
    return wrong(residual.name, fmt::format("--residual: '{}' has shape {}; the result has {}", residual.name,
                                            shape_text(residual.shape), shape_text(shapes.result)));
  }
  add_axes(residual, shapes.vector_a, shapes.vector_b);
  return operand_of(residual);
}

Result<Batch> find_batch(const Shapes& shapes, const Operand* residual) {
  Batch batch;
  if (shapes.m == 0 || shapes.n == 0) return batch;  // nothing to do, and strides that say nothing
  const auto& extents = shapes.batch;
  if (element_count(extents) == 0) {
    batch.rank = 1;
    return batch;
  }
  const auto a = broadcast_strides(shapes.a.batch, shapes.a.batch_strides, extents);
  const auto b = broadcast_strides(shapes.b.batch, shapes.b.batch_strides, extents);
  const auto r = residual != nullptr ? broadcast_strides(residual->batch, residual->batch_strides, extents)
                                     : Sizes(extents.size(), 0);
  const auto c = strides_in(Order::row_major, extents);
  std::vector<BatchAxis> axes;
  axes.reserve(extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    axes.push_back({extents[d], a[d], b[d], c[d] * shapes.m * shapes.n, r[d]});
  }
  axes = merged(axes);
  if (axes.size() > kMaxBatchRank) {
    return fail(
        ErrorCode::unsupported, "batch",
        fmt::format("the batch {} has {} dimensions that cannot be made fewer, since they are broadcast "
                    "differently; at most {} are possible (numpy: numpy.broadcast_to(…).copy())",
                    shape_text(extents), axes.size(), kMaxBatchRank));
  }
  for (const auto& axis : axes) {
    const auto d = batch.rank++;
    batch.extents.at(d) = axis.extent;
    batch.a.at(d) = axis.a;
    batch.b.at(d) = axis.b;
    batch.c.at(d) = axis.c;
    batch.residual.at(d) = axis.residual;
  }
  return batch;
}

}  // namespace wgemm::cli
