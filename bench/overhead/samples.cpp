#include "bench/overhead/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace wgemm::bench {

namespace {

bool worked = true;

double once(const std::function<bool()>& work) {
  const auto start = std::chrono::steady_clock::now();
  const bool done = work();
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  worked = worked && done;
  return took.count();
}

Samples summarise(std::vector<double> times) {
  std::ranges::sort(times);
  return {times.front(), times[times.size() / 2]};
}

}  // namespace

Samples sample(int count, const std::function<bool()>& work) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    times.push_back(once(work));
  }
  return summarise(std::move(times));
}

Pair sample_by_turns(int count, const std::function<bool()>& first, const std::function<bool()>& second) {
  std::vector<double> first_times;
  std::vector<double> second_times;
  first_times.reserve(static_cast<std::size_t>(count));
  second_times.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    first_times.push_back(once(first));
    second_times.push_back(once(second));
  }
  return {summarise(std::move(first_times)), summarise(std::move(second_times))};
}

bool print_row(const std::string& name, const Samples& samples, double limit_us) {
  const bool kept = limit_us == 0 || samples.median_us <= limit_us;
  const std::string limit =
      limit_us == 0 ? "" : fmt::format("at most {:g}: {}", limit_us, kept ? "kept" : "MISSED");
  fmt::print("{:<58} {:>9.2f} {:>9.2f}  {}\n", name, samples.minimum_us, samples.median_us, limit);
  std::fflush(stdout);
  return kept;
}

bool all_worked() { return worked; }

}  // namespace wgemm::bench
