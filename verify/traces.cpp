#include "verify/traces.hpp"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "verify/elements.hpp"

namespace wgemm::verify {
namespace {

/// Lines of memory of a C: rows of a row-major one, columns of a column-major one.
struct Lines {
  std::uint64_t count;
  std::uint64_t length;
  std::uint64_t ld;
  bool by_row;

  explicit Lines(const Problem& problem)
      : count(problem.c.order == Order::row_major ? problem.m : problem.n),
        length(problem.c.order == Order::row_major ? problem.n : problem.m),
        ld(leading_dimension(problem, Matrix::c)),
        by_row(problem.c.order == Order::row_major) {}
};

bool is_single(const Problem& problem) { return problem.batch.rank == 0 && problem.batch.table.empty(); }

/// Where an element that belongs to no C lies.
std::string place(const Problem& problem, std::uint64_t index) {
  const Lines lines(problem);
  if (!is_single(problem)) return fmt::format("element {} of C's buffer, which belongs to no C,", index);
  if (index < problem.c.offset) return fmt::format("element {} in front of C", index);
  const auto inside = index - problem.c.offset;
  const auto line = inside / lines.ld;
  if (line + 1 < lines.count) {
    return fmt::format("the gap {} elements behind the end of {} {} of C", inside % lines.ld - lines.length,
                       lines.by_row ? "row" : "column", line);
  }
  return fmt::format("the guard {} elements behind the end of C",
                     inside - (lines.count - 1) * lines.ld - lines.length);
}

}  // namespace

std::string element_name(const Problem& problem, std::uint64_t product, std::uint64_t row,
                         std::uint64_t col) {
  auto text = fmt::format("C({}, {})", row, col);
  return is_single(problem) ? text : text + fmt::format(" of product {}", product);
}

std::string find_unwritten(const HostProblem& given, std::span<const std::byte> c_after) {
  const auto& problem = given.problem;
  const auto& before = given[BufferRole::c];
  // With beta an element that was not written is a wrong one.
  if (problem.beta != 0 || before.empty()) return {};
  const Lines lines(problem);
  const auto bytes = size_of(problem.c.type);
  for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
    for (std::uint64_t line = 0; line < lines.count; ++line) {
      const auto first = first_element(problem, Matrix::c, product) + line * lines.ld;
      for (std::uint64_t i = 0; i < lines.length; ++i) {
        const auto at = (first + i) * bytes;
        if (std::memcmp(before.data() + at, c_after.data() + at, bytes) != 0) continue;
        return element_name(problem, product, lines.by_row ? line : i, lines.by_row ? i : line) +
               " still holds the poison: it was not written";
      }
    }
  }
  return {};
}

std::string find_trespass(const HostProblem& given, std::span<const std::byte> c_after) {
  const auto& problem = given.problem;
  const auto& before = given[BufferRole::c];
  if (before.empty()) return {};
  const Lines lines(problem);
  const auto bytes = size_of(problem.c.type);
  std::vector<std::uint8_t> owned(before.size() / bytes);
  for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
    const auto start = first_element(problem, Matrix::c, product);
    for (std::uint64_t line = 0; line < lines.count; ++line) {
      std::memset(owned.data() + start + line * lines.ld, 1, lines.length);
    }
  }
  for (std::uint64_t i = 0; i < owned.size(); ++i) {
    if (owned[i] != 0 || std::memcmp(before.data() + i * bytes, c_after.data() + i * bytes, bytes) == 0)
      continue;
    return fmt::format("{} was overwritten with 0x{:x}", place(problem, i),
                       element_bits(problem.c.type, c_after, i));
  }
  return {};
}

}  // namespace wgemm::verify
