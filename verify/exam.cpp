#include "verify/exam.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/checking/rows.hpp"
#include "verify/trial.hpp"

namespace wgemm::verify {
namespace {

/// Of random inputs and of small integers, in this order.
Verdict verdict_of(const std::array<Judgement, 2>& judgements, bool identity) {
  const auto& [bounded, exact] = judgements;
  Verdict verdict;
  verdict.ok = bounded.fault.empty() && exact.fault.empty();
  verdict.error_over_bound = bounded.error_over_bound;
  verdict.exact = exact.fault.empty();
  verdict.compared = bounded.compared;
  verdict.identity = identity && verdict.exact;
  if (!bounded.fault.empty()) {
    verdict.reason = "random inputs: " + bounded.fault;
  } else if (!exact.fault.empty()) {
    verdict.reason = "small integers: " + exact.fault;
  }
  return verdict;
}

/// What is wrong in the rows that the identity does not vouch for; empty where nothing is. A few at a time:
/// a wrong result shows in the first ones.
std::string fault_of_doubtful_rows(const HostProblem& given, const Identity& identity,
                                   std::span<const std::byte> c) {
  constexpr std::size_t kAtOnce = 16;
  const auto rows = find_doubtful_rows(given, identity, c);
  for (std::size_t begin = 0; begin < rows.size(); begin += kAtOnce) {
    const auto some = std::span(rows).subspan(begin, std::min(kAtOnce, rows.size() - begin));
    auto fault = judge_exact(given, c, some).fault;
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace

Exam::Exam(Problem problem, const Limits& limits, std::uint64_t seed, std::uint64_t sampled_rows, Keep keep)
    : problem_(std::move(problem)),
      largest_bytes_(largest_operand(limits)),
      seed_(seed),
      rows_(checking::sample_rows(problem_.m, sampled_rows, seed)),
      keep_(keep) {}

Result<Verdict> Exam::take(Context& context, PreparedPlan& prepared,
                           const std::optional<PlanOptions>& prepare_b) {
  constexpr std::array kNumbers{Numbers::uniform, Numbers::integers};
  Trial trial(context, prepared, prepare_b);
  std::array<Judgement, kNumbers.size()> judgements;
  bool identity = false;
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    std::optional<Question> once;
    auto& question = keep_ == Keep::yes ? questions_.at(i) : once;
    if (!question) question = ask(kNumbers.at(i));
    auto judgement = answer(trial, *question);
    if (!judgement) return tl::unexpected(judgement.error());
    judgements.at(i) = std::move(*judgement);
    identity = identity || question->identity;
  }
  return verdict_of(judgements, identity);
}

Exam::Question Exam::ask(Numbers numbers) const {
  const auto inputs = numbers == Numbers::uniform ? checking::Inputs::any : checking::Inputs::integers;
  Question question{make_inputs(problem_, numbers, seed_, largest_bytes_), {}, {}};
  question.expected = expect(question.given, rows_, inputs);
  if (numbers == Numbers::integers && rows_.size() < problem_.m && has_identity(problem_)) {
    question.identity = make_identity(question.given, seed_);
  }
  return question;
}

Result<Judgement> Exam::answer(Trial& trial, const Question& question) {
  const auto c = trial.run(question.given);
  if (!c) return tl::unexpected(c.error());
  auto judgement = judge(question.given, question.expected, *c);
  if (judgement.fault.empty() && question.identity) {
    judgement.fault = fault_of_doubtful_rows(question.given, *question.identity, *c);
  }
  return judgement;
}

}  // namespace wgemm::verify
