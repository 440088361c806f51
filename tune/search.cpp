#include "tune/search.hpp"

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
    const auto done = lab_.measure(trial);
    spent_ += lab_.now() - begin;
    measured_ += 1;
    keep(std::move(trial));
    if (!done) found_.error = done.error();
    return done.has_value();
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
  double spent_ = 0;
  double measured_ = 0;
};

}  // namespace

Found search(const Problem& problem, const DeviceProfile& profile, double deadline, const Lab& lab) {
  return Search(problem, profile, deadline, lab).run();
}

}  // namespace wgemm::tune
