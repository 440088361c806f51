#include "core/tuning/search_order.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/text/hash.hpp"
#include "core/tuning/neighbours.hpp"

namespace wgemm::tuning {
namespace {

using selection::Choice;

/// Less than that is noise, and the planner's own choice stays.
constexpr double kWorthwhile = 0.98;

std::vector<Choice> all_candidates(const Problem& problem, const DeviceProfile& profile) {
  return selection::rank(problem, profile, {}, std::numeric_limits<std::size_t>::max());
}

std::string hexadecimal(std::uint64_t value) {
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, value /= 16) {
    *digit = "0123456789abcdef"[value % 16];
  }
  return digits;
}

}  // namespace

SearchOrder::SearchOrder(const Problem& problem, const DeviceProfile& profile)
    : problem_(problem), profile_(profile), queue_(all_candidates(problem, profile)) {
  skip_tried();
}

void SearchOrder::tried(std::optional<double> seconds) {
  const Choice& choice = queue_.at(at_);
  // A clock too coarse for it makes no kernel the fastest.
  if (seconds && !(*seconds > 0)) seconds.reset();
  seen_.emplace(kernels::name(choice.kernel), choice.split_k);
  if (count_ == 0) heuristic_seconds_ = seconds;
  const bool fastest = seconds && (!fastest_ || *seconds < fastest_seconds_);
  if (fastest) {
    fastest_ = count_;
    fastest_seconds_ = *seconds;
    fastest_choice_ = choice;
    moved_ = true;
  }
  ++count_;
  // A step up: its own neighbours are next, and the rest of these are not worth their time.
  at_ = climbing_ && fastest ? queue_.size() : at_ + 1;
  skip_tried();
}

void SearchOrder::skip_tried() {
  for (;;) {
    while (at_ < queue_.size() && is_tried(queue_[at_])) ++at_;
    if (at_ < queue_.size() || !fastest_choice_ || !moved_) return;
    moved_ = false;
    climbing_ = true;
    queue_ = neighbours(*fastest_choice_, problem_, profile_);
    at_ = 0;
  }
}

bool SearchOrder::is_tried(const Choice& choice) const {
  return seen_.contains({kernels::name(choice.kernel), choice.split_k});
}

std::vector<Choice> SearchOrder::upcoming(std::size_t most) const {
  std::vector<Choice> choices;
  for (auto at = at_; at < queue_.size() && choices.size() < most; ++at) {
    if (!is_tried(queue_[at])) choices.push_back(queue_[at]);
  }
  return choices;
}

std::optional<std::size_t> SearchOrder::kept() const {
  if (fastest_ && heuristic_seconds_ && fastest_seconds_ > kWorthwhile * *heuristic_seconds_) return 0;
  return fastest_;
}

std::string candidate_checksum(const Problem& problem, const DeviceProfile& profile, std::uint64_t texts) {
  const auto candidates = all_candidates(problem, profile);
  std::vector<std::string> names;
  names.reserve(candidates.size());
  for (const auto& candidate : candidates) {
    names.push_back(kernels::name(candidate.kernel) + '/' + std::to_string(candidate.split_k) + '\n');
  }
  std::ranges::sort(names);
  auto hash = text::hash(hexadecimal(texts));
  for (const auto& name : names) hash = text::hash(name, hash);
  return hexadecimal(hash);
}

}  // namespace wgemm::tuning
