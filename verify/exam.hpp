// What a verdict asks of kernels for one problem: inputs, and what is right for them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/host_problem.hpp"
#include "verify/identity.hpp"
#include "verify/inputs.hpp"
#include "verify/judge.hpp"
#include "wgemm/context.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::verify {

class Trial;

struct Verdict {
  bool ok = false;
  double error_over_bound =
      0;               ///< largest |C - reference| / bound over the compared elements; at most 1 when ok
  bool exact = false;  ///< the small-integer result is equal wherever it is exact, element by element
  std::uint64_t compared = 0;  ///< elements of C that were compared
  bool identity =
      false;           ///< so was, of the small-integer run, every row that identity.hpp does not vouch for
  std::string reason;  ///< first thing that is wrong: which element, what stands there, what would be right
};

/// Random inputs and small integers. References take longer than many a kernel: with `Keep::yes` they are
/// made once for all kernels of the problem; with `Keep::no` each is gone before the next one is made.
class Exam {
 public:
  enum class Keep : std::uint8_t { no, yes };

  /// Of each C at most `sampled_rows` rows are compared, all for 0. Operands get a margin as far as the
  /// limits have room.
  Exam(Problem problem, const Limits& limits, std::uint64_t seed, std::uint64_t sampled_rows, Keep keep);

  /// The verdict on a plan for the problem. `prepare_b`: where the plan takes a prepared B (split_operand),
  /// the options by which B is prepared for it. An error means that it could not be run.
  Result<Verdict> take(Context& context, PreparedPlan& prepared,
                       const std::optional<PlanOptions>& prepare_b = {});

  [[nodiscard]] const Problem& problem() const { return problem_; }

 private:
  struct Question {
    HostProblem given;
    Expectation expected;
    std::optional<Identity> identity;  ///< where rows are left that are not compared
  };
  [[nodiscard]] Question ask(Numbers numbers) const;
  static Result<Judgement> answer(Trial& trial, const Question& question);

  Problem problem_;
  std::uint64_t largest_bytes_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> rows_;  ///< that are compared
  Keep keep_;
  std::array<std::optional<Question>, 2> questions_;
};

}  // namespace wgemm::verify
