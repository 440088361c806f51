#include "verify/judge.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/checking/error_bound.hpp"
#include "verify/inputs.hpp"

namespace wgemm::verify {
namespace {

template <typename Bits>
constexpr Bits poison() {
  if constexpr (sizeof(Bits) == 4) {
    return kPoisonF32;
  } else {
    return kPoisonF16;
  }
}

std::string position(const HostMatrix& c, std::uint64_t line, std::uint64_t offset) {
  const bool by_row = c.layout.order == Order::row_major;
  return fmt::format("C({}, {})", by_row ? line : offset, by_row ? offset : line);
}

/// The first element that is no finite number. Poison means that it was never written, or that it was
/// computed from what stood in C before.
template <typename Element, typename Bits>
std::string find_non_finite(const HostMatrix& c) {
  for (std::uint64_t line = 0; line < c.lines(); ++line) {
    const auto* const bits = c.elements<Bits>() + line * c.ld();
    const auto* const values = c.elements<Element>() + line * c.ld();
    for (std::uint64_t i = 0; i < c.line_length(); ++i) {
      if (std::isfinite(static_cast<float>(values[i]))) continue;
      if (bits[i] == poison<Bits>())
        return position(c, line, i) + " still holds the poison: it was not written";
      return fmt::format("{} = {} (0x{:x}), which is no finite number", position(c, line, i),
                         static_cast<float>(values[i]), bits[i]);
    }
  }
  return {};
}

/// The first element of the gaps and the guard that is not poison any more.
template <typename Bits>
std::string find_trespass(const HostMatrix& c) {
  const auto* const bits = c.elements<Bits>();
  const auto end = (c.lines() - 1) * c.ld() + c.line_length();
  for (std::uint64_t line = 0; line + 1 < c.lines(); ++line) {
    for (auto i = line * c.ld() + c.line_length(); i < (line + 1) * c.ld(); ++i) {
      if (bits[i] == poison<Bits>()) continue;
      return fmt::format("the gap {} elements behind the end of {} {} of C was overwritten with 0x{:x}",
                         i - line * c.ld() - c.line_length(),
                         c.layout.order == Order::row_major ? "row" : "column", line, bits[i]);
    }
  }
  for (auto i = end; i < c.bytes.size() / sizeof(Bits); ++i) {
    if (bits[i] == poison<Bits>()) continue;
    return fmt::format("the guard {} elements behind the end of C was overwritten with 0x{:x}", i - end,
                       bits[i]);
  }
  return {};
}

/// `tolerance(i)` is what the i-th expected element may be off.
template <typename Element, typename Tolerance>
void compare(Judgement& judgement, const HostMatrix& c, std::span<const std::uint64_t> rows,
             const checking::Product& expected, const Tolerance& tolerance) {
  const auto got = c.view<Element>();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::uint64_t col = 0; col < c.cols; ++col) {
      const auto i = r * c.cols + col;
      const double value = got(rows[r], col);
      const double error = std::abs(value - expected.value[i]);
      const double bound = tolerance(i);
      const double ratio = error == 0 ? 0 : error / bound;
      // Written so that a NaN counts as wrong.
      if (!(ratio <= judgement.error_over_bound)) {
        judgement.error_over_bound = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
      }
      if (error <= bound || !judgement.fault.empty()) continue;
      judgement.fault =
          fmt::format("C({}, {}) = {:.9g}, expected {:.9g}", rows[r], col, value, expected.value[i]);
      judgement.fault += bound == 0 ? " exactly" : fmt::format(" within {:.3g}", bound);
    }
  }
  judgement.compared = rows.size() * c.cols;
}

template <typename Tolerance>
Judgement judge(const HostMatrix& c, std::span<const std::uint64_t> rows, const checking::Product& expected,
                const Tolerance& tolerance) {
  Judgement judgement;
  const bool wide = c.layout.type == DataType::f32;
  judgement.fault = wide ? find_non_finite<float, std::uint32_t>(c) : find_non_finite<Half, std::uint16_t>(c);
  if (wide) {
    compare<float>(judgement, c, rows, expected, tolerance);
  } else {
    compare<Half>(judgement, c, rows, expected, tolerance);
  }
  if (judgement.fault.empty()) {
    judgement.fault = wide ? find_trespass<std::uint32_t>(c) : find_trespass<std::uint16_t>(c);
  }
  return judgement;
}

}  // namespace

Judgement judge_bound(const HostMatrix& c, std::uint64_t k, std::span<const std::uint64_t> rows,
                      const checking::Product& expected) {
  const checking::ErrorBound bound(k, c.layout.type);
  return judge(c, rows, expected,
               [&](std::size_t i) { return bound(expected.value[i], expected.magnitude[i]); });
}

Judgement judge_exact(const HostMatrix& c, std::span<const std::uint64_t> rows,
                      const checking::Product& expected) {
  const checking::ErrorBound bound(1, c.layout.type);
  const auto exact_up_to = largest_exact_integer(c.layout.type);
  return judge(c, rows, expected, [&](std::size_t i) {
    return std::abs(expected.value[i]) <= exact_up_to ? 0.0 : bound.narrowing(expected.value[i], 0);
  });
}

}  // namespace wgemm::verify
