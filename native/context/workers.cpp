#include "native/context/workers.hpp"

#include <utility>

namespace wgemm::native {

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (Entry& entry : queue_) {
      entry.stop.request_stop();
    }
    for (std::stop_source& stop : running_) {
      stop.request_stop();
    }
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void Workers::add(std::stop_source stop, std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  queue_.push_back({std::move(stop), std::move(work)});
  if (idle_ < queue_.size() && threads_.size() < most_) {
    threads_.emplace_back([this] { this->work(); });
  }
  wake_.notify_one();
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [&] { return closing_ || !queue_.empty(); });
    --idle_;
    if (queue_.empty()) {
      return;
    }
    {
      const Entry entry = std::move(queue_.front());
      queue_.pop_front();
      const auto running = running_.insert(running_.end(), entry.stop);
      lock.unlock();
      entry.work();
      lock.lock();
      running_.erase(running);
      lock.unlock();
    }
    lock.lock();
  }
}

}  // namespace wgemm::native
