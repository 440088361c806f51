// How long a call may go on waiting, and whether its caller still wants it.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

#include "wgemm/async.hpp"

namespace wgemm::native {

class Wait {
 public:
  using Clock = std::chrono::steady_clock;

  /// Each wait as long as the device's own time.
  Wait() = default;
  explicit Wait(const CallOptions& call) : cancel_(call.cancel), allowed_(call.timeout) {
    if (allowed_) {
      deadline_ = after(*allowed_);
    }
  }

  /// Errors: cancelled; timeout once the call's own time is over.
  [[nodiscard]] Result<void> check() const;
  /// The same, for a wait that began at `start` and may last `otherwise` where the call sets no time.
  [[nodiscard]] Result<void> check(Clock::time_point start, std::chrono::milliseconds otherwise) const;

 private:
  /// The end of time where the sum would overflow.
  static Clock::time_point after(std::chrono::milliseconds time) {
    const Clock::time_point now = Clock::now();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::time_point::max() - now);
    return time < left ? now + time : Clock::time_point::max();
  }

  std::stop_token cancel_;
  std::optional<std::chrono::milliseconds> allowed_;
  std::optional<Clock::time_point> deadline_;
};

}  // namespace wgemm::native
