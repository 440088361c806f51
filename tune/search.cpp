#include "tune/search.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "core/tuning/search_order.hpp"

namespace wgemm::tune {
namespace {

class Search {
 public:
  Search(const Problem& problem, const DeviceProfile& profile, double deadline, const Lab& lab)
      : order_(problem, profile), deadline_(deadline), lab_(lab) {}

  Found run() {
    const auto* choice = order_.next();
    while (choice != nullptr && try_one(*choice)) choice = order_.next();
    found_.complete = choice == nullptr;
    if (const auto kept = order_.kept()) found_.best = found_.trials.at(*kept);
    return std::move(found_);
  }

 private:
  /// False: the search is to end.
  bool try_one(const selection::Choice& choice) {
    Trial trial{.kernel = kernels::name(choice.kernel),
                .split_k = choice.split_k,
                .estimated_seconds = choice.seconds,
                .heuristic = order_.heuristic()};
    if (auto known = lab_.recall(trial.kernel, trial.split_k)) {
      known->heuristic = trial.heuristic;
      known->estimated_seconds = trial.estimated_seconds;
      known->resumed = true;
      keep(std::move(*known));
      return true;
    }
    const bool uncompiled = lab_.at_once > 1 && compiled_.erase(key_of(choice)) == 0;
    const double left = deadline_ - lab_.now();
    found_.stopped = lab_.stopped();
    if (found_.stopped || usual() + (uncompiled ? compiling_ : 0) > left) return false;
    if (uncompiled) compile(left);
    const double begin = lab_.now();
    const auto done = lab_.measure(trial);
    spent_ += lab_.now() - begin;
    measured_ += 1;
    keep(std::move(trial));
    if (!done) found_.error = done.error();
    return done.has_value();
  }

  /// Seconds that a trial has taken so far, without those of compiling several at once.
  [[nodiscard]] double usual() const { return measured_ > 0 ? spent_ / measured_ : 0; }

  /// The next ones, as many as there is time for; the first one alone, since nothing is known then.
  void compile(double left) {
    constexpr double kShortest = 1e-6;  // of a clock that stands still
    const double most = measured_ > 0 ? std::max(left - compiling_, 0.0) / std::max(usual(), kShortest) : 1;
    auto choices =
        order_.upcoming(static_cast<std::size_t>(std::clamp(most, 1.0, static_cast<double>(lab_.at_once))));
    std::erase_if(choices, [&](const selection::Choice& choice) {
      return lab_.recall(kernels::name(choice.kernel), choice.split_k).has_value();
    });
    const double begin = lab_.now();
    lab_.compile(choices);
    compiling_ = std::max(compiling_, lab_.now() - begin);
    for (const auto& choice : std::span(choices).subspan(1)) compiled_.insert(key_of(choice));
  }

  static std::pair<std::string, std::uint32_t> key_of(const selection::Choice& choice) {
    return {kernels::name(choice.kernel), choice.split_k};
  }

  void keep(Trial trial) {
    if (trial.heuristic && trial.ok()) found_.heuristic_seconds = trial.seconds;
    order_.tried(trial.ok() ? std::optional(trial.seconds) : std::nullopt);
    found_.trials.push_back(std::move(trial));
    const auto fastest = order_.fastest();
    lab_.finished(found_.trials.back(), fastest ? &found_.trials.at(*fastest) : nullptr);
  }

  tuning::SearchOrder order_;
  double deadline_;
  const Lab& lab_;
  Found found_;
  std::set<std::pair<std::string, std::uint32_t>> compiled_;  ///< of those to come
  double compiling_ = 0;  ///< seconds, the most that it took; a core for each, so several take as long as one
  double spent_ = 0;
  double measured_ = 0;
};

}  // namespace

Found search(const Problem& problem, const DeviceProfile& profile, double deadline, const Lab& lab) {
  return Search(problem, profile, deadline, lab).run();
}

}  // namespace wgemm::tune
