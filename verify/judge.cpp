#include "verify/judge.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/checking/error_bound.hpp"
#include "verify/elements.hpp"
#include "verify/reference.hpp"
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
  Judge(const HostProblem& given, std::span<const std::byte> c_after, std::span<const std::uint64_t> rows,
        Inputs inputs)
      : given_(given),
        problem_(given.problem),
        rows_(rows),
        c_after_(c_after),
        bound_(given.problem, inputs),
        most_(largest_magnitude(given)),
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
    const bool by_element = bound_.needs_magnitude(most_);
    const auto sums =
        reference_rows(given_, product, rows_, by_element ? Magnitude::compute : Magnitude::skip);
    const auto n = problem_.n;
    std::vector<double> got(n);
    std::vector<double> old(n);
    std::vector<double> residual(n);
    const auto& epilogue = problem_.epilogue;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      after_.read_row(product, rows_[r], got);
      if (problem_.beta != 0) before_.read_row(product, rows_[r], old);
      if (epilogue.add_residual) residual_.read_row(product, rows_[r], residual);
      for (std::uint64_t col = 0; col < n; ++col) {
        checking::Terms terms{sums.value[r * n + col], by_element ? sums.magnitude[r * n + col] : most_,
                              old[col], 0, residual[col]};
        if (epilogue.bias != Bias::none) terms.bias = bias_[epilogue.bias == Bias::per_row ? rows_[r] : col];
        compare(product, rows_[r], col, got[col], bound_(terms));
      }
    }
    judgement_.compared += rows_.size() * n;
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
  std::span<const std::uint64_t> rows_;
  std::span<const std::byte> c_after_;
  checking::ErrorBound bound_;
  double most_;
  Elements after_;
  Elements before_;
  Elements residual_;
  std::vector<double> bias_;
  Judgement judgement_;
};

}  // namespace

Judgement judge_bound(const HostProblem& given, std::span<const std::byte> c_after,
                      std::span<const std::uint64_t> rows) {
  return Judge(given, c_after, rows, Inputs::any).run();
}

Judgement judge_exact(const HostProblem& given, std::span<const std::byte> c_after,
                      std::span<const std::uint64_t> rows) {
  return Judge(given, c_after, rows, Inputs::integers).run();
}

}  // namespace wgemm::verify
