// Counts the objects that wgemm holds on a device.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace wgemm::native {

struct LiveCounts {
  std::atomic<std::uint64_t> buffers{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> bind_groups{0};
  std::atomic<std::uint64_t> pipelines{0};
};

/// Adds to one of the counts as long as it lives.
class Counted {
 public:
  Counted() = default;
  Counted(std::shared_ptr<LiveCounts> counts, std::atomic<std::uint64_t> LiveCounts::* count,
          std::uint64_t amount = 1)
      : counts_(std::move(counts)), count_(count), amount_(amount) {
    (*counts_.*count_).fetch_add(amount_);
  }
  Counted(Counted&& other) noexcept
      : counts_(std::move(other.counts_)), count_(other.count_), amount_(other.amount_) {}
  Counted& operator=(Counted&& other) noexcept {
    std::swap(counts_, other.counts_);
    std::swap(count_, other.count_);
    std::swap(amount_, other.amount_);
    return *this;
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() {
    if (counts_) {
      (*counts_.*count_).fetch_sub(amount_);
    }
  }

 private:
  std::shared_ptr<LiveCounts> counts_;
  std::atomic<std::uint64_t> LiveCounts::* count_ = nullptr;
  std::uint64_t amount_ = 0;
};

}  // namespace wgemm::native
