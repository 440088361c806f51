// Threads that carry out the tasks of a context, started when the first task comes.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace wgemm::native {

class Workers {
 public:
  explicit Workers(std::size_t most) : most_(most) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  /// Asks every task to stop, carries them out all the same, so that each tells its end, and joins.
  ~Workers();

  /// Tasks begin in the order in which they are given, and end soon once `stop` is asked.
  void add(std::stop_source stop, std::function<void()> work);

 private:
  struct Entry {
    std::stop_source stop;
    std::function<void()> work;
  };
  void work();

  const std::size_t most_;
  std::mutex mutex_;  ///< of all that follows
  std::condition_variable wake_;
  bool closing_ = false;
  std::deque<Entry> queue_;
  std::list<std::stop_source> running_;
  std::size_t idle_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace wgemm::native
