#include "native/library/log_hub.hpp"

#include <algorithm>

namespace wgemm::native {

LogHub::Listener::Listener(LogHub& hub, LogCallback callback) {
  if (!callback) {
    return;
  }
  const std::lock_guard lock(hub.mutex_);
  hub_ = &hub;
  id_ = hub.next_id_++;
  hub.listeners_.emplace_back(id_, std::move(callback));
}

LogHub::Listener& LogHub::Listener::operator=(Listener&& other) noexcept {
  std::swap(hub_, other.hub_);
  std::swap(id_, other.id_);
  return *this;
}

LogHub::Listener::~Listener() {
  if (hub_ != nullptr) {
    const std::lock_guard lock(hub_->mutex_);
    std::erase_if(hub_->listeners_, [this](const auto& listener) { return listener.first == id_; });
  }
}

void LogHub::say(Severity severity, std::string_view message) {
  // Called on copies, so that a callback may open or close contexts.
  std::vector<LogCallback> callbacks;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, callback] : listeners_) {
      callbacks.push_back(callback);
    }
  }
  for (const LogCallback& callback : callbacks) {
    callback(severity, message);
  }
}

}  // namespace wgemm::native
