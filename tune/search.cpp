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
    const double begin = lab_.now();
    const double usual = measured_ > 0 ? spent_ / measured_ : 0;
    if (lab_.stopped() || begin + usual > deadline_) return false;
    // The first one alone: nothing is known yet of what there is time for.
    if (measured_ > 0 && compiled_.erase(key_of(choice)) == 0) compile((deadline_ - begin) / usual);
    const auto done = lab_.measure(trial);
    spent_ += lab_.now() - begin;
    measured_ += 1;
    keep(std::move(trial));
    if (!done) found_.error = done.error();
    return done.has_value();
  }

  /// The next ones, as many as there is time for.
  void compile(double trials) {
    const auto most = static_cast<std::size_t>(std::min(trials, static_cast<double>(lab_.at_once)));
    if (most < 2) return;
    auto choices = order_.upcoming(most);
    std::erase_if(choices, [&](const selection::Choice& choice) {
      return lab_.recall(kernels::name(choice.kernel), choice.split_k).has_value();
    });
    lab_.compile(choices);
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
  double spent_ = 0;
  double measured_ = 0;
};

}  // namespace

Found search(const Problem& problem, const DeviceProfile& profile, double deadline, const Lab& lab) {
  return Search(problem, profile, deadline, lab).run();
}

}  // namespace wgemm::tune
