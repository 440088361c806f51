#include "core/checking/rows.hpp"

#include <numeric>
#include <random>

namespace wgemm::checking {

std::vector<std::uint64_t> sample_rows(std::uint64_t rows, std::uint64_t count, std::uint64_t seed) {
  if (count == 0 || count >= rows) {
    std::vector<std::uint64_t> all(rows);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }
  if (count == 1) return {rows - 1};  // the last is the likelier one to be wrong
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> chosen{0};
  const auto stretches = count - 2;
  for (std::uint64_t i = 0; i < stretches; ++i) {
    const auto begin = 1 + (rows - 2) * i / stretches;
    const auto end = 1 + (rows - 2) * (i + 1) / stretches;
    chosen.push_back(begin + random() % (end - begin));
  }
  chosen.push_back(rows - 1);
  return chosen;
}

}  // namespace wgemm::checking
