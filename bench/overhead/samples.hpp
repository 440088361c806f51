// Times of a call that is repeated, robust against a busy machine.
#pragma once

#include <functional>
#include <string>

namespace wgemm::bench {

struct Samples {
  double minimum_us = 0;
  double median_us = 0;
};

/// Calls `work` that often; each call is a sample. `work` returns false when it failed.
Samples sample(int count, const std::function<bool()>& work);

/// Samples of two calls by turns, so that both see the same machine.
struct Pair {
  Samples first;
  Samples second;
};
Pair sample_by_turns(int count, const std::function<bool()>& first, const std::function<bool()>& second);

/// A row of the table; `limit_us` 0 where none is set. Returns whether the median keeps the limit.
bool print_row(const std::string& name, const Samples& samples, double limit_us);

/// Whether every call so far did what it should.
bool all_worked();

}  // namespace wgemm::bench
