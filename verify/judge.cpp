#include "verify/judge.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "verify/elements.hpp"
#include "verify/traces.hpp"

namespace wgemm::verify {
namespace {

using checking::Inputs;

/// Rows of C or of the residual, by row and column.
class Elements {
 public:
  Elements(const Problem& problem, Matrix matrix, std::span<const std::byte> memory)
      : problem_(problem),
        matrix_(matrix),
        memory_(memory),
        ld_(leading_dimension(problem, matrix)),
        by_row_(layout_of(problem, matrix).order == Order::row_major) {}

  void read_row(std::uint64_t product, std::uint64_t row, std::span<double> values) const {
    const auto start = first_element(problem_, matrix_, product);
    read_elements(layout_of(problem_, matrix_).type, memory_, start + row * (by_row_ ? ld_ : 1),
                  by_row_ ? 1 : ld_, values);
  }

 private:
  const Problem& problem_;
  Matrix matrix_;
  std::span<const std::byte> memory_;
  std::uint64_t ld_;
  bool by_row_;
};

class Judge {
 public:
  Judge(const HostProblem& given, const Expectation& expected, std::span<const std::byte> c_after)
      : given_(given),
        problem_(given.problem),
        expected_(expected),
        c_after_(c_after),
        bound_(given.problem, expected.inputs),
        after_(problem_, Matrix::c, c_after),
        before_(problem_, Matrix::c, given[BufferRole::c]),
        residual_(problem_, Matrix::residual, given[BufferRole::residual]) {
    bias_.resize(bias_length(problem_));
    read_elements(problem_.epilogue.bias_type, given[BufferRole::bias], 0, 1, bias_);
  }

  Judgement run() && {
    if (c_after_.size() != given_[BufferRole::c].size()) {
      judgement_.fault = fmt::format("C has {} bytes behind the run and {} before it", c_after_.size(),
                                     given_[BufferRole::c].size());
      return std::move(judgement_);
    }
    if (c_after_.empty()) return std::move(judgement_);
    judgement_.fault = find_unwritten(given_, c_after_);
    for (std::uint64_t product = 0; product < problem_.batch.count(); ++product) compare(product);
    if (judgement_.fault.empty()) judgement_.fault = find_trespass(given_, c_after_);
    return std::move(judgement_);
  }

 private:
  void compare(std::uint64_t product) {
    const auto& sums = expected_.sums[product];
    const auto& rows = expected_.rows;
    const bool by_element = !sums.magnitude.empty();
    const auto n = problem_.n;
    std::vector<double> got(n);
    std::vector<double> old(n);
    std::vector<double> residual(n);
    const auto& epilogue = problem_.epilogue;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      after_.read_row(product, rows[r], got);
      if (problem_.beta != 0) before_.read_row(product, rows[r], old);
      if (epilogue.add_residual) residual_.read_row(product, rows[r], residual);
      for (std::uint64_t col = 0; col < n; ++col) {
        checking::Terms terms{sums.value[r * n + col],
                              by_element ? sums.magnitude[r * n + col] : expected_.most, old[col], 0,
                              residual[col]};
        if (epilogue.bias != Bias::none) terms.bias = bias_[epilogue.bias == Bias::per_row ? rows[r] : col];
        compare(product, rows[r], col, got[col], bound_(terms));
      }
    }
    judgement_.compared += rows.size() * n;
  }

  void compare(std::uint64_t product, std::uint64_t row, std::uint64_t col, double got,
               const checking::Expected& expected) {
    const double error = std::abs(got - expected.value);
    if (expected.error == 0) ++judgement_.compared_bits;
    // An infinite bound holds for everything, NaN included.
    const bool anything = std::isinf(expected.error);
    const double ratio = error == 0 || anything ? 0 : error / expected.error;
    // Written so that a NaN counts as wrong.
    if (!(ratio <= judgement_.error_over_bound)) {
      judgement_.error_over_bound = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    }
    if (error <= expected.error || anything || !judgement_.fault.empty()) return;
    judgement_.fault = element_name(problem_, product, row, col);
    judgement_.fault += fmt::format(" = {:.9g}, expected {:.9g}", got, expected.value);
    judgement_.fault += expected.error == 0 ? " exactly" : fmt::format(" within {:.3g}", expected.error);
  }

  const HostProblem& given_;
  const Problem& problem_;
  const Expectation& expected_;
  std::span<const std::byte> c_after_;
  checking::ErrorBound bound_;
  Elements after_;
  Elements before_;
  Elements residual_;
  std::vector<double> bias_;
  Judgement judgement_;
};

}  // namespace

Expectation expect(const HostProblem& given, std::span<const std::uint64_t> rows, Inputs inputs) {
  const auto& problem = given.problem;
  Expectation expected{inputs, {rows.begin(), rows.end()}, largest_magnitude(given), {}};
  const auto magnitude = checking::ErrorBound(problem, inputs).needs_magnitude(expected.most)
                             ? Magnitude::compute
                             : Magnitude::skip;
  expected.sums.reserve(problem.batch.count());
  for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
    expected.sums.push_back(reference_rows(given, product, rows, magnitude));
  }
  return expected;
}

Judgement judge(const HostProblem& given, const Expectation& expected, std::span<const std::byte> c_after) {
  return Judge(given, expected, c_after).run();
}

Judgement judge_bound(const HostProblem& given, std::span<const std::byte> c_after,
                      std::span<const std::uint64_t> rows) {
  return judge(given, expect(given, rows, Inputs::any), c_after);
}

Judgement judge_exact(const HostProblem& given, std::span<const std::byte> c_after,
                      std::span<const std::uint64_t> rows) {
  return judge(given, expect(given, rows, Inputs::integers), c_after);
}

}  // namespace wgemm::verify
