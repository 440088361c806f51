#include "cli/commands/run_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "core/checking/error_bound.hpp"
#include "core/checking/rows.hpp"
#include "verify/elements.hpp"
#include "verify/host_problem.hpp"
#include "verify/judge.hpp"
#include "verify/reference.hpp"

namespace wgemm::cli {
namespace {

constexpr double kMostTerms = 2e11;  ///< products that a check may take; beyond that it samples rows

/// Whether any element of an operand without gaps is of a kind.
bool holds(const verify::HostProblem& given, BufferRole role, const auto& is_wanted) {
  const auto type = role == BufferRole::a ? given.problem.a.type : given.problem.b.type;
  std::vector<double> values(given[role].size() / size_of(type));
  verify::read_elements(type, given[role], 0, 1, values);
  return std::ranges::any_of(values, is_wanted);
}

bool is_denormal(const verify::HostProblem& given, double value) {
  const double smallest = given.problem.a.type == DataType::f16 ? checking::kSmallestNormalF16 : checking::kSmallestNormalF32;
  return value != 0 && std::abs(value) < smallest;
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
  verify::HostProblem given;
  auto& problem = given.problem;
  problem.m = a.rows;
  problem.n = b.cols;
  problem.k = a.cols;
  problem.a = a.layout;
  problem.b = b.layout;
  problem.c = c.layout;
  given.at(BufferRole::a) = a.bytes;
  given.at(BufferRole::b) = b.bytes;
  given.at(BufferRole::c).assign(c.bytes.size(), std::byte{0xff});  // NaNs, which no product is
  const auto is_non_finite = [](double value) { return !std::isfinite(value); };
  if (holds(given, BufferRole::a, is_non_finite)) return no_bound("A holds infinities or NaNs");
  if (holds(given, BufferRole::b, is_non_finite)) return no_bound("B holds infinities or NaNs");

  const double row_terms = static_cast<double>(b.cols) * static_cast<double>(a.cols);
  const auto most = static_cast<std::uint64_t>(std::max(2.0, kMostTerms / row_terms));
  const auto rows = checking::sample_rows(c.rows, most, 1);
  if (verify::largest_magnitude(given) > static_cast<double>(std::numeric_limits<float>::max())) {
    const auto sums = verify::reference_rows(given, 0, rows, verify::Magnitude::compute);
    // Of |A||B|: partial sums count too.
    const bool overflows = std::ranges::any_of(sums.magnitude, [](double magnitude) {
      return magnitude > static_cast<double>(std::numeric_limits<float>::max());
    });
    if (overflows) return no_bound("the sums exceed the range of float32");
  }
  const auto judgement = verify::judge_bound(given, c.bytes, rows);
  if (!judgement.fault.empty()) {
    const auto is_small = [&](double value) { return is_denormal(given, value); };
    if (holds(given, BufferRole::a, is_small) || holds(given, BufferRole::b, is_small)) {
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
