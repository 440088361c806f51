#include "native/context/plan_cache.hpp"

#include <bit>
#include <cstring>
#include <string_view>

namespace wgemm::native {

namespace {

constexpr std::size_t kKept = 256;

class Words {
 public:
  template <typename... Values>
  void add(Values... values) {
    (key_.push_back(static_cast<std::uint64_t>(values)), ...);
  }
  void add_float(float value) { add(std::bit_cast<std::uint32_t>(value)); }
  void add_text(std::string_view text) {
    add(text.size());
    for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
      add(word);
    }
  }
  void add_layout(const MatrixLayout& layout) { add(layout.type, layout.order, layout.ld, layout.offset); }
  ProblemKey take() { return std::move(key_); }

 private:
  ProblemKey key_;
};

}  // namespace

ProblemKey key_of(const Problem& problem, const PlanOptions& options) {
  // Each field counts: one left out would give one problem the plan of another. So they are taken apart by
  // bindings, which do not compile when a field is added.
  const auto& [m, n, k, a, b, c, trans_a, trans_b, quantization, accumulate, alpha, beta, batch, epilogue] =
      problem;
  const auto& [kernel, edges, split_k, scratch_cap, max_dispatch_flops, dequantise] = options;
  const auto& [rank, extents, stride_a, stride_b, stride_c, stride_residual, table] = batch;
  const auto& [bias, bias_type, activation, lower, upper, add_residual, residual] = epilogue;
  const auto& [block, scale_type, zeros] = quantization;
  Words words;
  words.add(m, n, k, trans_a, trans_b, accumulate, block, scale_type, zeros, edges, split_k, scratch_cap,
            std::bit_cast<std::uint64_t>(max_dispatch_flops), dequantise);
  words.add_layout(a);
  words.add_layout(b);
  words.add_layout(c);
  words.add_float(alpha);
  words.add_float(beta);
  words.add(bias, bias_type, activation, add_residual);
  words.add_float(lower);
  words.add_float(upper);
  words.add_layout(residual);
  words.add(rank, table.size());
  for (std::size_t d = 0; d < rank && d < kMaxBatchRank; ++d) {
    words.add(extents.at(d), stride_a.at(d), stride_b.at(d), stride_c.at(d), stride_residual.at(d));
  }
  for (const BatchOffsets& entry : table) {
    words.add(entry.a, entry.b, entry.c, entry.residual);
  }
  words.add_text(kernel);
  return words.take();
}

std::size_t PlanCache::Hash::operator()(const ProblemKey& key) const {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t hash = key.size();
  for (const std::uint64_t word : key) {
    hash = (std::rotl(hash, 23) ^ word) * kOdd;
  }
  return hash;
}

std::optional<PreparedPlan> PlanCache::find(const ProblemKey& key) {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known == by_key_.end()) {
    return std::nullopt;
  }
  entries_.splice(entries_.begin(), entries_, known->second);
  return known->second->second;
}

void PlanCache::keep(ProblemKey key, PreparedPlan prepared) {
  std::list<Entry> dropped;  // freed without the lock
  const std::lock_guard lock(mutex_);
  if (by_key_.contains(key)) {
    return;
  }
  if (entries_.size() == kKept) {
    by_key_.erase(entries_.back().first);
    dropped.splice(dropped.end(), entries_, std::prev(entries_.end()));
  }
  entries_.emplace_front(key, std::move(prepared));
  by_key_.emplace(std::move(key), entries_.begin());
}

void PlanCache::clear() {
  std::list<Entry> dropped;
  const std::lock_guard lock(mutex_);
  by_key_.clear();
  dropped.swap(entries_);
}

}  // namespace wgemm::native
