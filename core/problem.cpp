#include "wgemm/problem.hpp"

#include <array>
#include <limits>
#include <utility>

namespace wgemm {

std::string_view to_string(ErrorCode code) {
  constexpr std::array<std::string_view, 10> names{
      "invalid_argument", "unsupported", "not_found", "compilation", "out_of_memory",
      "device_lost",      "validation",  "timeout",   "io",          "internal"};
  return names.at(static_cast<std::size_t>(code));
}

std::string_view to_string(DataType type) { return type == DataType::f32 ? "f32" : "f16"; }
std::string_view to_string(Order order) { return order == Order::row_major ? "row_major" : "col_major"; }
std::uint64_t size_of(DataType type) { return type == DataType::f32 ? 4 : 2; }

double Problem::flops() const {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

std::uint64_t leading_dimension(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols) {
  if (layout.ld != 0) return layout.ld;
  return layout.order == Order::row_major ? cols : rows;
}

std::uint64_t size_in_bytes(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols) {
  if (rows == 0 || cols == 0) return 0;
  const bool by_row = layout.order == Order::row_major;
  const auto lines = by_row ? rows : cols;
  const auto length = by_row ? cols : rows;
  return ((lines - 1) * leading_dimension(layout, rows, cols) + length) * size_of(layout.type);
}

namespace {

Result<void> check_size(std::string_view name, std::uint64_t value) {
  if (value == 0) {
    return fail(ErrorCode::invalid_argument, std::string(name),
                std::string(name) + " = 0; sizes are at least 1");
  }
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorCode::invalid_argument, std::string(name),
                std::string(name) + " = " + std::to_string(value) + " does not fit 32 bits");
  }
  return {};
}

Result<void> check_layout(std::string_view matrix, const MatrixLayout& layout, std::uint64_t rows,
                          std::uint64_t cols) {
  const bool by_row = layout.order == Order::row_major;
  const auto length = by_row ? cols : rows;
  const auto argument = "ld" + std::string(matrix);
  if (layout.ld != 0 && layout.ld < length) {
    return fail(ErrorCode::invalid_argument, argument,
                argument + " = " + std::to_string(layout.ld) + " is shorter than " +
                    (by_row ? "a row" : "a column") + " of " + std::to_string(length) + " elements");
  }
  // Kernels index with 32 bits; the check is in floating point so that it cannot wrap itself.
  const double elements =
      static_cast<double>(by_row ? rows : cols) * static_cast<double>(leading_dimension(layout, rows, cols));
  if (elements > static_cast<double>(std::numeric_limits<std::uint32_t>::max())) {
    return fail(ErrorCode::unsupported, argument,
                "matrix " + std::string(matrix) + " spans more than 2^32 - 1 elements");
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
  if (auto done = check_layout("a", problem.a, problem.m, problem.k); !done) return done;
  if (auto done = check_layout("b", problem.b, problem.k, problem.n); !done) return done;
  return check_layout("c", problem.c, problem.m, problem.n);
}

std::string describe(const Problem& problem) {
  const auto letter = [](Order order) { return order == Order::row_major ? 'r' : 'c'; };
  auto text = std::to_string(problem.m) + "x" + std::to_string(problem.n) + "x" + std::to_string(problem.k) +
              " " + std::string(to_string(problem.a.type));
  if (problem.c.type != problem.a.type) text += "->" + std::string(to_string(problem.c.type));
  return text + " " + letter(problem.a.order) + letter(problem.b.order) + letter(problem.c.order);
}

}  // namespace wgemm
