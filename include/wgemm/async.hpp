// Calls that can be cancelled, end by a deadline, or go on while the caller does something else.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <utility>

#include "wgemm/error.hpp"

namespace wgemm {

/// What a single call may be told. Work that the device has begun is not taken back: a call that was
/// cancelled or timed out leaves the contents of its outputs on the device undefined.
struct CallOptions {
  /// Looked at between dispatches, pieces of copies and while waiting: ErrorCode::cancelled.
  std::stop_token cancel;
  /// How long the call may wait for the device, all its waits together: ErrorCode::timeout. Without: each
  /// wait ContextOptions::timeout.
  std::optional<std::chrono::milliseconds> timeout;
};

/// A call that a thread of the context carries out. Movable. Letting go of a task neither cancels it nor
/// waits.
template <typename T>
class Task {
 public:
  Task() = default;
  Task(std::future<Result<T>> future, std::stop_source stop)
      : future_(std::move(future)), stop_(std::move(stop)) {}

  [[nodiscard]] bool valid() const { return future_.valid(); }
  [[nodiscard]] bool ready() const {
    return future_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  void wait() const { future_.wait(); }
  /// Whether it was ready in time.
  [[nodiscard]] bool wait_for(std::chrono::milliseconds time) const {
    // A century stands for ever: the clock's arithmetic would overflow.
    constexpr std::chrono::milliseconds kForEver = std::chrono::hours(24 * 365 * 100);
    return future_.wait_for(std::min(time, kForEver)) == std::future_status::ready;
  }
  /// Waits; once.
  Result<T> get() { return future_.get(); }
  /// The result becomes ErrorCode::cancelled, unless the task is done before it learns of this.
  void cancel() { stop_.request_stop(); }

 private:
  std::future<Result<T>> future_;
  std::stop_source stop_;
};

/// Called with the result on a thread of the context, before the task becomes ready. Must not destroy the
/// context, nor wait for another of its tasks, nor throw: the library is built without exceptions, and one
/// that reaches it ends the program.
template <typename T>
using Completion = std::function<void(const Result<T>&)>;

/// Told on a thread of the context, one call at a time, how many of a list are done. Must not throw.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

}  // namespace wgemm
