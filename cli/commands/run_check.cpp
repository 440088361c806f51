#include "cli/commands/run_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "core/checking/error_bound.hpp"
#include "core/checking/rows.hpp"
#include "verify/half.hpp"
#include "verify/host_problem.hpp"
#include "verify/judge.hpp"
#include "verify/reference.hpp"

namespace wgemm::cli {
namespace {

constexpr double kMostTerms = 2e11;  ///< products that a check may take; beyond that it samples rows

template <typename Element>
bool any_element(std::span<const std::byte> bytes, double smallest_normal, const auto& is_wanted) {
  const std::span elements(reinterpret_cast<const Element*>(bytes.data()), bytes.size() / sizeof(Element));
  return std::ranges::any_of(
      elements, [&](Element element) { return is_wanted(static_cast<double>(element), smallest_normal); });
}

/// The first operand that holds such a number, told with the smallest normal one of its type; empty where
/// none does.
std::string_view holder(const verify::HostProblem& given, const auto& is_wanted) {
  struct Numbers {
    BufferRole role;
    DataType type;
    std::string_view name;
  };
  const auto& problem = given.problem;
  for (const auto& [role, type, name] :
       {Numbers{BufferRole::a, problem.a.type, "A"}, Numbers{BufferRole::b, problem.b.type, "B"},
        Numbers{BufferRole::scales, problem.quantization.scale_type, "a scale of B"},
        Numbers{BufferRole::bias, problem.epilogue.bias_type, "the bias"},
        Numbers{BufferRole::residual, problem.epilogue.residual.type, "the residual"},
        Numbers{BufferRole::c, problem.c.type, "C"}}) {
    if (!is_floating(type) || (role == BufferRole::c && problem.beta == 0)) continue;
    const bool holds = type == DataType::f32
                           ? any_element<float>(given[role], checking::kSmallestNormalF32, is_wanted)
                           : any_element<verify::Half>(given[role], checking::kSmallestNormalF16, is_wanted);
    if (holds) return name;
  }
  return {};
}

tl::unexpected<Error> no_bound(std::string_view why) {
  return fail(
      ErrorCode::unsupported, "--check",
      fmt::format("--check: {}, for which no error bound exists; without --check the result is written as "
                  "the device computes it",
                  why));
}

verify::HostProblem host_problem(Product& product, std::vector<std::byte> before) {
  auto& inputs = product.inputs;
  verify::HostProblem given{product.problem, {}};
  given.at(BufferRole::a) = std::move(inputs.a.bytes).take();
  given.at(BufferRole::c) = std::move(before);
  if (product.problem.beta == 0) verify::poison(product.problem.c.type, given.at(BufferRole::c));
  if (inputs.bias) given.at(BufferRole::bias) = std::move(inputs.bias->bytes).take();
  if (inputs.residual) given.at(BufferRole::residual) = std::move(inputs.residual->bytes).take();
  if (!inputs.weights) {
    given.at(BufferRole::b) = std::move(inputs.b.bytes).take();
    return given;
  }
  given.at(BufferRole::b) = std::move(inputs.weights->q.bytes).take();
  given.at(BufferRole::scales) = std::move(inputs.weights->scales.bytes).take();
  if (inputs.weights->zeros) given.at(BufferRole::zeros) = std::move(inputs.weights->zeros->bytes).take();
  return given;
}

/// Whether partial sums may leave the range of float32. The quick bound says so too often.
bool overflows(const verify::HostProblem& given, std::span<const std::uint64_t> rows) {
  constexpr auto kMost = static_cast<double>(std::numeric_limits<float>::max());
  if (!is_floating(given.problem.a.type) || verify::largest_magnitude(given) <= kMost) return false;
  for (std::uint64_t i = 0; i < given.problem.batch.count(); ++i) {
    const auto sums = verify::reference_rows(given, i, rows, verify::Magnitude::compute);
    if (std::ranges::any_of(sums.magnitude, [](double magnitude) { return magnitude > kMost; })) return true;
  }
  return false;
}

}  // namespace

Result<std::string> check_product(Product& product, std::vector<std::byte> before) {
  const auto given = host_problem(product, std::move(before));
  const auto& problem = given.problem;
  const auto infinite = holder(given, [](double value, double) { return !std::isfinite(value); });
  if (!infinite.empty()) return no_bound(fmt::format("{} holds infinities or NaNs", infinite));

  const double row_terms = static_cast<double>(problem.n) * static_cast<double>(problem.k) *
                           static_cast<double>(problem.batch.count());
  const auto most = static_cast<std::uint64_t>(std::max(2.0, kMostTerms / std::max(row_terms, 1.0)));
  const auto rows = checking::sample_rows(problem.m, most, 1);
  if (overflows(given, rows)) return no_bound("the sums exceed the range of float32");

  const auto judgement = verify::judge_bound(given, product.out.bytes.view(), rows);
  if (!judgement.fault.empty()) {
    const auto denormal =
        holder(given, [](double value, double smallest) { return value != 0 && std::abs(value) < smallest; });
    if (!denormal.empty()) {
      return no_bound(fmt::format("{} holds denormal numbers, which the device flushed to zero", denormal));
    }
    return fail(ErrorCode::internal, "C",
                fmt::format("the result is wrong: {}; nothing was written", judgement.fault));
  }
  const auto compared = rows.size() == problem.m ? std::string("all elements")
                                                 : fmt::format("{} of {} rows", rows.size(), problem.m);
  if (judgement.compared_bits == judgement.compared) {
    return fmt::format("check: ok, every element is exact (against float64, {})", compared);
  }
  return fmt::format("check: ok, the largest error is {:.3g} of its bound (against float64, {})",
                     judgement.error_over_bound, compared);
}

}  // namespace wgemm::cli
