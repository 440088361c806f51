// Prepared plans by the problem that they were made for, so that a product that comes again costs a look-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wgemm/planner.hpp"
#include "wgemm/prepared_plan.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::native {

/// Everything that a plan depends on beside the device, as words.
using ProblemKey = std::vector<std::uint64_t>;
ProblemKey key_of(const Problem& problem, const PlanOptions& options);

/// Keeps those that were used last. For several threads.
class PlanCache {
 public:
  std::optional<PreparedPlan> find(const ProblemKey& key);
  void keep(ProblemKey key, PreparedPlan prepared);
  void clear();

 private:
  struct Hash {
    std::size_t operator()(const ProblemKey& key) const;
  };
  using Entry = std::pair<ProblemKey, PreparedPlan>;

  std::mutex mutex_;
  std::list<Entry> entries_;  ///< the most recently used first
  std::unordered_map<ProblemKey, std::list<Entry>::iterator, Hash> by_key_;
};

}  // namespace wgemm::native
