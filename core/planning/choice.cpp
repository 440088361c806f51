#include "core/planning/choice.hpp"

#include <array>
#include <string_view>

namespace wgemm::planning {
namespace {

struct Candidate {
  std::string_view kernel;
  std::uint64_t least_m;  ///< below that the kernel's tiles would be mostly empty
  std::uint64_t least_n;
};

constexpr std::array<Candidate, 2> kCandidates{{
    {"tiled_TILE16_ROWS1_PAD0", 8, 8},
    {"coalesced_WX16_WY16", 1, 1},
}};

}  // namespace

Result<kernels::Kernel> choose(const Problem& problem, const DeviceProfile& profile) {
  for (const auto& candidate : kCandidates) {
    if (problem.m < candidate.least_m || problem.n < candidate.least_n) continue;
    auto kernel = kernels::parse(candidate.kernel);
    if (kernel && kernels::check(*kernel, profile, problem.a.type)) return kernel;
  }
  return kernels::parse(kCandidates.back().kernel);
}

}  // namespace wgemm::planning
