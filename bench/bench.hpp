// One device: compiles plans for it, judges their results and times them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "bench/dispatch_budget.hpp"
#include "bench/operand_sets.hpp"
#include "bench/outcome.hpp"
#include "verify/exam.hpp"
#include "wgemm/context.hpp"
#include "wgemm/measure.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::bench {

/// What is being done, and the fraction of it that is done.
using Progress = std::function<void(std::string_view, double)>;

/// A product to be judged and timed.
struct Job {
  Problem problem;
  PlanOptions options;
  /// B is prepared once, before the time (Context::prepare_operand), instead of in every run.
  bool prepare_b = false;
};

class Bench {
 public:
  /// `context` and `roofline` outlive the bench.
  Bench(Context& context, const Roofline& roofline, std::uint64_t seed, MeasureOptions measuring);

  /// Plans a problem, judges the result and, where it is right, times it. What is known before an error
  /// stands in the outcome; the error itself does not.
  Result<void> run(Outcome& outcome, const Job& job, const Progress& progress);
  /// Times once more, in a later pass, what `run` found right with the same job. An error takes nothing back.
  Result<void> run_again(Outcome& outcome, const Job& job, const Progress& progress);
  /// Without the time; also for plans that are made for another profile than the device's. `prepare_b`: the
  /// options by which B is prepared first.
  Result<void> judge(Outcome& outcome, Plan plan, const std::optional<PlanOptions>& prepare_b = {});

 private:
  struct Planned {
    Plan plan;
    PlanOptions options;    ///< by which it was made
    bool cautious = false;  ///< it is cut into dispatches first: its kernel may be slow
  };
  [[nodiscard]] Result<Planned> planned(const Job& job) const;
  /// Adds a pass to the outcome.
  Result<void> time(Outcome& outcome, Planned planned, const Job& job, const Progress& progress);
  /// Cuts a plan by how fast one run of it is that was cut for the slowest kernel: such pieces take a fast
  /// one longer to start than to run.
  Result<void> cut(Plan& plan, std::span<const Operands> operands);
  /// What the time says of the plan.
  void rate(Outcome& outcome, const Plan& plan, const Measurement& measured) const;
  /// How to measure now: clocks that work has just raised want less of it.
  [[nodiscard]] MeasureOptions measuring() const;
  Result<DispatchBudget> budget_of(const Problem& problem);
  Result<const OperandSets*> operands(const Problem& problem);
  verify::Exam& exam_of(const Problem& problem);

  Context& context_;
  const Roofline& roofline_;
  std::uint64_t seed_;
  MeasureOptions measuring_;
  std::optional<std::chrono::steady_clock::time_point> measured_;  ///< when the last measurement ended
  std::map<std::string, DispatchBudget> budgets_;                  ///< of the slowest kernel, by sizes
  /// Of the last problems.
  std::list<std::pair<Problem, OperandSets>> operands_;
  std::optional<verify::Exam> exam_;  ///< of the last problem
};

}  // namespace wgemm::bench
