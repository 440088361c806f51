// Which configurations a search tries, and in which order, given what became of those before. Who measures,
// and how long, is another's: a program, or a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/selection/choice.hpp"
#include "core/text/sources.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::tuning {

/// The planner's own choice comes first, then every candidate by the model's order, then the neighbours of
/// the fastest as long as one of them is faster. None comes twice.
class SearchOrder {
 public:
  SearchOrder(const Problem& problem, const DeviceProfile& profile);

  /// The one to try now, the same until `tried` is told of it; nullptr where the search is complete.
  [[nodiscard]] const selection::Choice* next() const { return at_ < queue_.size() ? &queue_[at_] : nullptr; }

  /// `next()` and those that come behind it as long as nothing changes the order, `most` at most.
  [[nodiscard]] std::vector<selection::Choice> upcoming(std::size_t most) const;

  /// What became of `next()`: seconds of one product; unset where it gave no result that counts. No time at
  /// all is no such result.
  void tried(std::optional<double> seconds);

  /// Whether `next()` is what the planner chooses without measured choices.
  [[nodiscard]] bool heuristic() const { return count_ == 0; }

  /// Those told of, in order; which of them is the fastest; and which is to be kept: the planner's own where
  /// no other is faster by more than noise.
  [[nodiscard]] std::optional<std::size_t> fastest() const { return fastest_; }
  [[nodiscard]] std::optional<std::size_t> kept() const;

 private:
  void skip_tried();
  [[nodiscard]] bool is_tried(const selection::Choice& choice) const;

  Problem problem_;
  DeviceProfile profile_;
  std::vector<selection::Choice> queue_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;  ///< told of
  bool climbing_ = false;  ///< the queue is the neighbours of the fastest
  std::set<std::pair<std::string, std::uint32_t>> seen_;
  std::optional<double> heuristic_seconds_;
  std::optional<std::size_t> fastest_;
  double fastest_seconds_ = 0;
  std::optional<selection::Choice> fastest_choice_;
  bool moved_ = true;  ///< the fastest is another one than that whose neighbours are tried
};

/// Of the names and splits of all candidates and of the kernel texts, in hexadecimal: results belong to the
/// set that they were compared in, and to the texts that they were measured with.
std::string candidate_checksum(const Problem& problem, const DeviceProfile& profile,
                               std::uint64_t texts = text::fingerprint());

}  // namespace wgemm::tuning
