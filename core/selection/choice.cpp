#include "core/selection/choice.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/planning/product.hpp"

namespace wgemm::planning {
namespace {

struct Candidate {
  std::string_view kernel;
  std::uint64_t block_m;  ///< rows and columns of C per workgroup
  std::uint64_t block_n;
  bool on_software;  ///< software drivers compile the large texts for many seconds
};

// Fastest first on a large product on an NVIDIA H200; each needs fewer rows and columns to fill a device than
// the one before.
constexpr std::array<Candidate, 7> kCandidates{{
    {"register-tile_BM128_BN256_BK16_TM16_TN8_PAD4_LX0", 128, 256, false},
    {"register-tile_BM64_BN128_BK16_TM8_TN8_PAD4_LX4", 64, 128, false},
    {"register-tile_BM64_BN64_BK16_TM8_TN8_PAD4_LX4", 64, 64, false},
    {"register-tile_BM64_BN64_BK16_TM8_TN8_PAD0_LX4", 64, 64, false},  // within 16 KiB
    {"register-tile_BM64_BN64_BK16_TM8_TN4_PAD0_LX0", 64, 64, false},
    {"register-tile_BM32_BN32_BK16_TM4_TN4_PAD0_LX0", 32, 32, true},
    {"coalesced_WX16_WY16", 16, 16, true},
}};

/// The same for integers of 8 bits.
constexpr std::array<Candidate, 3> kIntegerCandidates{{
    {"packed-dot_BM64_BN64_BK64_TM8_TN4_PAD1", 64, 64, false},
    {"packed-dot_BM32_BN32_BK64_TM4_TN4_PAD1", 32, 32, true},
    {"coalesced_WX16_WY16", 16, 16, true},
}};

/// Workgroups below which a larger block leaves most of a large device idle.
constexpr std::uint64_t kFillingWorkgroups = 128;

std::uint64_t workgroups(const Problem& problem, const Candidate& candidate) {
  return ((problem.m + candidate.block_m - 1) / candidate.block_m) *
         ((problem.n + candidate.block_n - 1) / candidate.block_n);
}

/// Rows, or columns, that the kernels for few of them take at once.
constexpr std::uint64_t kSkinny = 16;

/// A kernel for few rows or columns; nothing where there are more, or the device cannot run it.
std::optional<kernels::Kernel> choose_skinny(const Problem& problem, const DeviceProfile& profile) {
  const auto product = oriented_product(problem, kernels::Access::skinny_along_n);
  if (product.m > kSkinny) return {};
  // Software drivers compile long texts for minutes: there more workgroups of fewer rows.
  const bool software = profile.type == AdapterType::software;
  const auto most = software ? std::uint64_t{4} : kSkinny;
  const auto rows = std::min(most, std::bit_ceil(std::max<std::uint64_t>(product.m, 1)));
  const bool wide = rows < kSkinny && !software;
  const auto tm = "_TM" + std::to_string(rows);
  const auto name = product.b.row_major ? "skinny-n" + tm + (wide ? "_KS8" : "_KS4")
                                        : "skinny-k" + tm + (wide ? "_TN4" : "_TN2");
  auto kernel = kernels::parse(name);
  if (!kernel || !kernels::check(*kernel, profile, problem.a.type)) return {};
  return std::move(*kernel);
}

}  // namespace

Result<kernels::Kernel> choose(const Problem& problem, const DeviceProfile& profile) {
  if (auto skinny = choose_skinny(problem, profile)) return std::move(*skinny);
  const bool software = profile.type == AdapterType::software;
  const auto candidates = is_byte(problem.a.type) ? std::span<const Candidate>(kIntegerCandidates)
                                                  : std::span<const Candidate>(kCandidates);
  const auto& last = candidates.back();
  for (const auto& candidate : candidates) {
    if (&candidate == &last) break;
    const bool fills = software
                           ? problem.m >= candidate.block_m / 2 && problem.n >= candidate.block_n / 2
                           : workgroups(problem, candidate) >= kFillingWorkgroups || candidate.block_m == 32;
    if ((software && !candidate.on_software) || !fills) continue;
    auto kernel = kernels::parse(candidate.kernel);
    if (kernel && kernels::check(*kernel, profile, problem.a.type)) return kernel;
  }
  return kernels::parse(last.kernel);
}

std::uint32_t choose_split(const Problem& problem, const DeviceProfile& profile,
                           const kernels::Kernel& kernel, const kernels::Geometry& geometry) {
  // A software device has few cores: cutting only adds work there.
  if (profile.type == AdapterType::software) return 1;
  const auto blocks = [](std::uint64_t value, std::uint64_t block) { return (value + block - 1) / block; };
  const auto product = oriented_product(problem, kernel.family->access);
  const auto groups =
      blocks(product.m, geometry.block_m) * blocks(product.n, geometry.block_n) * problem.batch.count();
  // A part shorter than that does not repay the second pass.
  constexpr std::uint64_t kShortestPart = 256;
  if (groups == 0 || groups >= kFillingWorkgroups) return 1;
  const auto wanted = std::min(2 * kFillingWorkgroups / groups, problem.k / kShortestPart);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(wanted, 1));
}

}  // namespace wgemm::planning
