// Brings what a WebGPU library says to those who asked for it. A library logs per process, contexts listen
// one by one.
#pragma once

#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "wgemm/options.hpp"

namespace wgemm::native {

class LogHub {
 public:
  /// Hears the hub until it is destroyed.
  class Listener {
   public:
    Listener() = default;
    Listener(LogHub& hub, LogCallback callback);
    Listener(Listener&& other) noexcept : hub_(std::exchange(other.hub_, nullptr)), id_(other.id_) {}
    Listener& operator=(Listener&& other) noexcept;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener();

   private:
    LogHub* hub_ = nullptr;
    std::uint64_t id_ = 0;
  };

  /// May be called from any thread.
  void say(Severity severity, std::string_view message);

 private:
  std::mutex mutex_;
  std::uint64_t next_id_ = 1;
  std::vector<std::pair<std::uint64_t, LogCallback>> listeners_;
};

}  // namespace wgemm::native
