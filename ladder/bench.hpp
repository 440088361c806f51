// One device, one problem: compiles a kernel for it, judges its result and times it.
#pragma once

#include <functional>
#include <map>
#include <string_view>

#include "ladder/dispatch_budget.hpp"
#include "ladder/inputs.hpp"
#include "ladder/row.hpp"
#include "wgemm/context.hpp"
#include "wgemm/measure.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::ladder {

/// What is being done, and the fraction of it that is done.
using Progress = std::function<void(std::string_view, double)>;

class Bench {
 public:
  /// `problem` is of row-major f32 matrices without gaps. `context` and `roofline` outlive the bench.
  Bench(Context& context, Problem problem, const Roofline& roofline, std::uint64_t seed,
        MeasureOptions measuring);

  /// Fills in status and figures of a row whose kernel, operands and edges are set.
  void fill(Row& row, const Progress& progress);

 private:
  /// For a kernel that needs matrix units on a device without them: judges its emulated dialect, in which
  /// each lane does the units' work itself, on a small product.
  Result<void> judge_emulated(Row& row);
  Result<void> judge_and_time(Row& row, const Progress& progress);
  Result<void> judge(Row& row, Plan plan) const;
  Result<void> time(Row& row, const Plan& plan, const Progress& progress);
  Result<const OperandSets*> operands(DataType type);
  Result<double> max_flops();

  Context& context_;
  Problem problem_;
  const Roofline& roofline_;
  std::uint64_t seed_;
  MeasureOptions measuring_;
  std::optional<DispatchBudget> budget_;
  std::map<DataType, OperandSets> operands_;
};

}  // namespace wgemm::ladder
