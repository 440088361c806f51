#include "tune/random_shapes.hpp"

#include "verify/fuzz/random.hpp"

namespace wgemm::tune {
namespace {

constexpr std::uint64_t kPowers = 13;
constexpr double kMostFlops = 2.0 * 4096 * 4096 * 4096;

std::uint64_t draw_size(verify::fuzz::Random& random) {
  const auto least = std::uint64_t{1} << random.below(kPowers);
  return random.between(least, 2 * least - 1);
}

}  // namespace

std::vector<Problem> random_shapes(std::size_t count, std::uint64_t seed) {
  std::vector<Problem> problems;
  problems.reserve(count);
  for (std::uint64_t draw = 0; problems.size() < count; ++draw) {
    verify::fuzz::Random random(seed, draw, 0);
    Problem problem;
    problem.m = draw_size(random);
    problem.n = draw_size(random);
    problem.k = draw_size(random);
    if (problem.flops() <= kMostFlops) problems.push_back(problem);
  }
  return problems;
}

}  // namespace wgemm::tune
