#include "core/selection/choice.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "core/planning/product.hpp"
#include "core/selection/candidates.hpp"
#include "core/selection/model.hpp"
#include "core/selection/tuned.hpp"

namespace wgemm::selection {
namespace {

/// Kernels that are tried where the first cannot be planned: for want of scratch memory, say.
constexpr std::size_t kTried = 3;

/// A problem and a device as the model sees them.
class Estimator {
 public:
  Estimator(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options)
      : device_(device_model(profile)),
        options_(options),
        software_(profile.type == AdapterType::software),
        general_(planning::row_major_product(problem)),
        skinny_(planning::oriented_product(problem, kernels::Access::skinny_along_n)) {}

  /// The options' split, or the best.
  [[nodiscard]] std::uint32_t split(const Candidate& candidate) const {
    if (options_.split_k != 0) return options_.split_k;
    // A software device has few cores: cutting only adds work there.
    return software_ ? 1 : best_split(task(candidate.kernel), candidate, device_);
  }

  [[nodiscard]] double seconds(const Candidate& candidate, std::uint32_t split_k) const {
    return estimate(task(candidate.kernel), candidate, split_k, device_);
  }

 private:
  [[nodiscard]] Task task(const kernels::Kernel& kernel) const {
    return {kernels::is_skinny(kernel.family->access) ? skinny_ : general_, options_.edges,
            options_.scratch_cap == 0 && !general_.b.quantised() && !general_.a.quantised(),
            options_.dequantise};
  }

  const DeviceModel& device_;
  const PlanOptions& options_;
  bool software_;
  planning::Product general_;
  planning::Product skinny_;
};

Result<Choice> forced(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options) {
  auto kernel = kernels::parse(options.kernel);
  if (!kernel) return tl::unexpected(kernel.error());
  const auto geometry = fit(*kernel, problem, profile);
  if (!geometry) return tl::unexpected(geometry.error());
  Choice choice{*kernel, *geometry, options.split_k, 0};
  if (choice.split_k == 0) choice.split_k = Estimator(problem, profile, options).split({*kernel, *geometry});
  return choice;
}

/// The entry's kernel where it can do the problem at hand.
std::optional<Choice> tuned(const TuningEntry& entry, const Problem& problem, const DeviceProfile& profile,
                            const PlanOptions& options) {
  if (options.split_k != 0 && options.split_k != entry.split_k) return std::nullopt;
  auto kernel = kernels::parse(entry.kernel);
  if (!kernel) return std::nullopt;
  const auto geometry = fit(*kernel, problem, profile);
  if (!geometry) return std::nullopt;
  return Choice{std::move(*kernel), *geometry, entry.split_k, entry.seconds};
}

}  // namespace

Result<std::vector<Choice>> choose(const Problem& problem, const DeviceProfile& profile,
                                   const PlanOptions& options, const TuningData* tuning) {
  if (!options.kernel.empty()) {
    return forced(problem, profile, options).map([](Choice choice) {
      return std::vector{std::move(choice)};
    });
  }
  // Sums in f16 depend on the device alone.
  if (const auto usable = fit(fallback(problem.a.type).kernel, problem, profile); !usable) {
    return tl::unexpected(usable.error());
  }
  std::vector<Choice> choices;
  const bool empty = tuning == nullptr || tuning->entries.empty() || options.edges != EdgePolicy::checked;
  if (!empty) {
    for (const auto* entry : find_entries(*tuning, profile, tuning_problem(problem, options.dequantise))) {
      if (auto choice = tuned(*entry, problem, profile, options)) choices.push_back(std::move(*choice));
      if (choices.size() == kTried) break;
    }
  }
  auto ranked = rank(problem, profile, options, kTried);
  std::ranges::move(ranked, std::back_inserter(choices));
  // Without scratch or workgroup memory: what remains when memory is too short for the others.
  const auto& last = fallback(problem.a.type);
  choices.push_back({last.kernel, last.geometry, std::max(options.split_k, 1U), 0});
  return choices;
}

std::vector<Choice> rank(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options,
                         std::size_t most) {
  const Estimator estimator(problem, profile, options);
  const auto matrix = matrix_candidates(problem, profile);
  auto all = candidates(problem, profile);
  all.reserve(all.size() + matrix.size());
  for (const auto& candidate : matrix) all.push_back(&candidate);
  struct Ranked {
    const Candidate* candidate;
    std::uint32_t split_k;
    double seconds;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(all.size());
  for (const auto* candidate : all) {
    const auto split_k = estimator.split(*candidate);
    ranked.push_back({candidate, split_k, estimator.seconds(*candidate, split_k)});
  }
  std::ranges::stable_sort(ranked, {}, &Ranked::seconds);
  std::vector<Choice> choices;
  for (const auto& [candidate, split_k, seconds] : ranked) {
    if (choices.size() == most) break;
    const auto geometry = fit(candidate->kernel, problem, profile);
    if (geometry) choices.push_back({candidate->kernel, *geometry, split_k, seconds});
  }
  return choices;
}

double estimate(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options,
                const kernels::Kernel& kernel, const kernels::Geometry& geometry, std::uint32_t split_k) {
  return Estimator(problem, profile, options).seconds({kernel, geometry}, split_k);
}

}  // namespace wgemm::selection
