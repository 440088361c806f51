#include "ladder/rung_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::ladder {
namespace {

/// What the planner names as missing where a device has no matrix units.
constexpr std::string_view kMatrixUnits = "subgroup_matrix";

}  // namespace

RungBench::RungBench(Context& context, Problem problem, const Roofline& roofline, std::uint64_t seed,
                     MeasureOptions measuring)
    : context_(context),
      problem_(std::move(problem)),
      bench_(context, roofline, seed, std::move(measuring)) {}

void RungBench::fill(Row& row, const bench::Progress& progress) {
  auto problem = problem_;
  problem.a.type = problem.b.type = row.operands;
  const auto done = bench_.run(row, {problem, {.kernel = row.kernel, .edges = row.edges}}, progress);
  if (row.edges == EdgePolicy::padded && row.steps == 1) {
    row.note = "the sizes are whole tiles already: nothing to copy";
  }
  if (done) return;
  set_error(row, done.error());
  if (done.error().argument != kMatrixUnits) return;
  progress("checking the emulated dialect", 0);
  if (auto emulated = judge_emulated(row); !emulated) set_error(row, emulated.error());
}

Result<void> RungBench::judge_emulated(Row& row) {
  auto profile = context_.profile();
  profile.matrix_dialect = MatrixDialect::emulated;
  const auto family = std::string_view(row.kernel).substr(0, row.kernel.find('_'));
  const auto configurations = list_configurations(family, profile, row.operands);
  if (!configurations) return tl::unexpected(configurations.error());
  row.reason = "no matrix units here: the device lacks the feature chromium-experimental-subgroup-matrix";
  if (configurations->empty()) {
    row.reason += ", and the emulated dialect does not fit it either";
    return {};
  }
  // Small, with edges in every direction: an emulated unit is slow.
  Problem problem;
  problem.m = std::min<std::uint64_t>(problem_.m, 45);
  problem.n = std::min<std::uint64_t>(problem_.n, 39);
  problem.k = std::min<std::uint64_t>(problem_.k, 43);
  const auto plan = make_plan(problem, profile, {.kernel = configurations->front()});
  if (!plan) return tl::unexpected(plan.error());
  row.kernel = plan->kernel;
  if (auto done = bench_.judge(row, *plan); !done) return done;
  if (row.status == Status::unsupported)
    row.reason += fmt::format("; emulated dialect verified on {}: ok", describe(problem));
  return {};
}

}  // namespace wgemm::ladder
