#include "cli/commands/run_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/checking/rows.hpp"
#include "verify/half.hpp"
#include "verify/judge.hpp"
#include "verify/reference.hpp"

namespace wgemm::cli {
namespace {

constexpr double kMostTerms = 2e11;  ///< products that a check may take; beyond that it samples rows

/// Whether any element of a matrix without gaps is of one of the classes of std::fpclassify.
template <typename Element>
bool holds_elements(const verify::HostMatrix& matrix, const auto& is_wanted) {
  const auto* const first = matrix.elements<Element>();
  return std::any_of(first, first + matrix.rows * matrix.cols,
                     [&](Element element) { return is_wanted(static_cast<float>(element)); });
}

bool holds(const verify::HostMatrix& matrix, const auto& is_wanted) {
  return matrix.layout.type == DataType::f32 ? holds_elements<float>(matrix, is_wanted)
                                             : holds_elements<verify::Half>(matrix, is_wanted);
}

tl::unexpected<Error> no_bound(std::string_view why) {
  return fail(
      ErrorCode::unsupported, "--check",
      fmt::format("--check: {}, for which no error bound exists; without --check the product is written as "
                  "the device computes it",
                  why));
}

}  // namespace

Result<std::string> check_product(const verify::HostMatrix& a, const verify::HostMatrix& b,
                                  const verify::HostMatrix& c) {
  const auto is_non_finite = [](float value) { return !std::isfinite(value); };
  if (holds(a, is_non_finite)) return no_bound("A holds infinities or NaNs");
  if (holds(b, is_non_finite)) return no_bound("B holds infinities or NaNs");

  const double row_terms = static_cast<double>(b.cols) * static_cast<double>(a.cols);
  const auto most = static_cast<std::uint64_t>(std::max(2.0, kMostTerms / row_terms));
  const auto rows = checking::sample_rows(c.rows, most, 1);
  const auto expected = verify::reference_rows(a, b, rows, verify::Magnitude::compute);
  // Already |A||B|: partial sums count too.
  const bool overflows = std::ranges::any_of(expected.magnitude, [](double magnitude) {
    return magnitude > static_cast<double>(std::numeric_limits<float>::max());
  });
  if (overflows) return no_bound("the sums exceed the range of float32");

  const auto judgement = verify::judge_bound(c, a.cols, rows, expected);
  if (!judgement.fault.empty()) {
    const auto is_denormal = [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; };
    if (holds(a, is_denormal) || holds(b, is_denormal)) {
      return no_bound("an operand holds denormal numbers, which the device flushed to zero");
    }
    return fail(ErrorCode::internal, "C",
                fmt::format("the product is wrong: {}; nothing was written", judgement.fault));
  }
  const auto compared =
      rows.size() == c.rows ? std::string("all elements") : fmt::format("{} of {} rows", rows.size(), c.rows);
  return fmt::format("check: ok, the largest error is {:.3g} of its bound (against float64, {})",
                     judgement.error_over_bound, compared);
}

}  // namespace wgemm::cli
