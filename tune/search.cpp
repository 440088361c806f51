#include "tune/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/selection/choice.hpp"
#include "tune/neighbours.hpp"

namespace wgemm::tune {
namespace {

using selection::Choice;

/// Less than that is noise, and the planner's own choice stays.
constexpr double kWorthwhile = 0.98;

std::vector<Choice> all_candidates(const Problem& problem, const DeviceProfile& profile) {
  return selection::rank(problem, profile, {}, std::numeric_limits<std::size_t>::max());
}

class Search {
 public:
  Search(const Problem& problem, const DeviceProfile& profile, double deadline, const Lab& lab)
      : problem_(problem), profile_(profile), deadline_(deadline), lab_(lab) {}

  Found run() {
    const auto candidates = all_candidates(problem_, profile_);
    bool whole = true;
    for (const auto& candidate : candidates) {
      whole = try_one(candidate);
      if (!whole) break;
    }
    while (whole && best_) {
      const auto from = *best_;
      for (const auto& neighbour : neighbours(from, problem_, profile_)) {
        whole = try_one(neighbour);
        if (!whole || moved_from(from)) break;
      }
      if (!moved_from(from)) break;
    }
    found_.complete = whole;
    settle();
    return std::move(found_);
  }

 private:
  static bool is_other(const Choice& one, const Choice& other) {
    return one.kernel.values != other.kernel.values || one.kernel.family != other.kernel.family ||
           one.split_k != other.split_k;
  }

  [[nodiscard]] bool moved_from(const Choice& choice) const { return best_ && is_other(*best_, choice); }

  /// False: the search is to end.
  bool try_one(const Choice& choice) {
    Trial trial{.kernel = kernels::name(choice.kernel),
                .split_k = choice.split_k,
                .estimated_seconds = choice.seconds,
                .heuristic = found_.trials.empty()};
    if (!tried_.emplace(trial.kernel, trial.split_k).second) return true;
    if (auto known = lab_.recall(trial.kernel, trial.split_k)) {
      known->heuristic = trial.heuristic;
      known->estimated_seconds = trial.estimated_seconds;
      known->resumed = true;
      keep(std::move(*known), choice);
      return true;
    }
    const double begin = lab_.now();
    const double usual = measured_ > 0 ? spent_ / measured_ : 0;
    if (lab_.stopped() || begin + usual > deadline_) return false;
    const auto done = lab_.measure(trial);
    spent_ += lab_.now() - begin;
    measured_ += 1;
    keep(std::move(trial), choice);
    if (!done) found_.error = done.error();
    return done.has_value();
  }

  void keep(Trial trial, const Choice& choice) {
    if (trial.heuristic && trial.ok()) found_.heuristic_seconds = trial.seconds;
    if (trial.ok() && (!found_.best || trial.seconds < found_.best->seconds)) {
      found_.best = trial;
      best_ = choice;
    }
    found_.trials.push_back(std::move(trial));
    lab_.finished(found_.trials.back(), found_.best ? &*found_.best : nullptr);
  }

  void settle() {
    if (!found_.best || found_.trials.empty()) return;
    const auto& heuristic = found_.trials.front();
    if (heuristic.ok() && found_.best->seconds > kWorthwhile * heuristic.seconds) found_.best = heuristic;
  }

  const Problem& problem_;
  const DeviceProfile& profile_;
  double deadline_;
  const Lab& lab_;
  Found found_;
  std::optional<Choice> best_;
  std::set<std::pair<std::string, std::uint32_t>> tried_;
  double spent_ = 0;
  double measured_ = 0;
};

}  // namespace

Found search(const Problem& problem, const DeviceProfile& profile, double deadline, const Lab& lab) {
  return Search(problem, profile, deadline, lab).run();
}

std::string candidate_checksum(const Problem& problem, const DeviceProfile& profile) {
  const auto candidates = all_candidates(problem, profile);
  std::vector<std::string> names;
  names.reserve(candidates.size());
  for (const auto& candidate : candidates) {
    names.push_back(fmt::format("{}/{}", kernels::name(candidate.kernel), candidate.split_k));
  }
  std::ranges::sort(names);
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const auto& name : names) {
    for (const char letter : name + '\n') {
      hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    }
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace wgemm::tune
