#include "core/selection/candidates.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "core/planning/product.hpp"

namespace wgemm::selection {
namespace {

/// Who gets to see a configuration: drivers of software adapters compile long texts for minutes.
enum class For : std::uint8_t { hardware, everyone };

struct Named {
  std::string_view kernel;
  For whom = For::hardware;
};

// Blocks from large to small: the larger, the less is read from memory, and the fewer workgroups there are.
constexpr std::array kFloating{
    Named{"register-tile_BM128_BN256_BK16_TM16_TN8_PAD4_LX0"},
    Named{"register-tile_BM256_BN128_BK16_TM16_TN8_PAD4_LX8"},
    Named{"register-tile_BM128_BN256_BK16_TM8_TN16_PAD4_LX16"},
    Named{"register-tile_BM128_BN128_BK16_TM8_TN8_PAD4_LX4"},
    Named{"register-tile_BM128_BN128_BK16_TM8_TN8_PAD0_LX4"},  // within 16 KiB
    Named{"register-tile_BM128_BN64_BK16_TM8_TN8_PAD4_LX4"},
    Named{"register-tile_BM64_BN128_BK16_TM8_TN8_PAD4_LX4"},
    Named{"register-tile_BM64_BN64_BK16_TM8_TN8_PAD4_LX4"},
    Named{"register-tile_BM64_BN64_BK16_TM8_TN8_PAD0_LX4"},  // within 16 KiB
    Named{"register-tile_BM128_BN64_BK32_TM16_TN8_PAD4_LX8_SLICES4"},
    Named{"register-tile_BM64_BN64_BK64_TM16_TN8_PAD4_LX8_SLICES8"},
    Named{"register-tile_BM64_BN64_BK32_TM8_TN4_PAD4_LX8"},
    Named{"register-tile_BM64_BN64_BK16_TM8_TN4_PAD4_LX8"},
    Named{"register-tile_BM64_BN64_BK16_TM8_TN4_PAD0_LX0"},
    Named{"register-tile_BM64_BN64_BK32_TM4_TN4_PAD4_LX8"},
    Named{"register-tile_BM64_BN64_BK16_TM4_TN4_PAD4_LX8"},
    Named{"register-tile_BM64_BN32_BK32_TM4_TN4_PAD4_LX8"},
    Named{"register-tile_BM32_BN64_BK64_TM8_TN8_PAD4_LX8_SLICES8"},
    Named{"register-tile_BM32_BN64_BK32_TM4_TN8_PAD4_LX8"},
    Named{"register-tile_BM32_BN64_BK32_TM4_TN4_PAD4_LX8"},
    Named{"register-tile_BM32_BN32_BK32_TM4_TN4_PAD4_LX8"},
    Named{"register-tile_BM32_BN32_BK16_TM4_TN4_PAD0_LX0", For::everyone},
    Named{"register-tile_BM16_BN64_BK32_TM4_TN4_PAD4_LX0"},
    Named{"register-tile_BM16_BN32_BK128_TM4_TN4_PAD4_LX8_SLICES8"},
    Named{"register-tile_BM16_BN32_BK32_TM4_TN4_PAD4_LX0"},
    Named{"register-tile_BM16_BN16_BK32_TM4_TN4_PAD4_LX0"},
    Named{"coalesced_WX32_WY8"},
    Named{"coalesced_WX16_WY16", For::everyone},
};

constexpr std::array kBytes{
    Named{"packed-dot_BM128_BN128_BK64_TM8_TN8_PAD1"},
    Named{"packed-dot_BM128_BN64_BK64_TM8_TN4_PAD1"},
    Named{"packed-dot_BM64_BN64_BK64_TM8_TN4_PAD1"},
    Named{"packed-dot_BM64_BN64_BK64_TM4_TN4_PAD1"},
    Named{"packed-dot_BM32_BN32_BK128_TM4_TN4_PAD1"},
    Named{"packed-dot_BM32_BN32_BK64_TM4_TN4_PAD1", For::everyone},
    Named{"coalesced_WX16_WY16", For::everyone},
};

// Of few rows; TM follows the problem.
constexpr std::array kSkinny{
    Named{"skinny-n_BN64_SLICES16_KS4", For::everyone},
    Named{"skinny-n_BN64_SLICES16_KS8"},
    Named{"skinny-n_BN64_SLICES16_KS16"},
    Named{"skinny-n_BN64_SLICES32_KS16"},
    Named{"skinny-n_BN64_SLICES64_KS16"},
    Named{"skinny-n_BN32_SLICES32_KS8"},
    Named{"skinny-n_BN32_SLICES64_KS4"},
    Named{"skinny-n_BN32_SLICES64_KS16"},
    Named{"skinny-k_TN2_LANES32_GROUPS8", For::everyone},
    Named{"skinny-k_TN4_LANES32_GROUPS8"},
    Named{"skinny-k_TN2_LANES32_GROUPS4"},
    Named{"skinny-k_TN1_LANES64_GROUPS2"},
    Named{"skinny-k_TN1_LANES128_GROUPS1"},
    Named{"skinny-k_TN2_LANES128_GROUPS2"},
};

/// Rows that kernels for few of them take at once, and with which they are still worth a look.
constexpr std::uint64_t kSkinnyRows = 16;
constexpr std::uint64_t kFewRows = 2 * kSkinnyRows;

// For each shape that the device's matrix units multiply.
constexpr std::array<std::string_view, 17> kMatrix{"matrix-tile_BM128_BN128_BK32_WM64_WN64",
                                                   "matrix-tile_BM128_BN128_BK32_WM32_WN64",
                                                   "matrix-tile_BM64_BN64_BK64_WM32_WN32_AHEAD2",
                                                   "matrix-tile_BM64_BN64_BK64_WM32_WN32",
                                                   "matrix-tile_BM64_BN64_BK32_WM64_WN32",
                                                   "matrix-tile_BM64_BN64_BK32_WM32_WN32",
                                                   "matrix-tile_BM32_BN64_BK64_WM16_WN32_AHEAD2",
                                                   "matrix-tile_BM32_BN32_BK64_WM16_WN16_AHEAD2",
                                                   "matrix-tile_BM32_BN32_BK32_WM16_WN16",
                                                   "matrix-tile_BM16_BN32_BK256_WM16_WN32_AHEAD2_SLICES8",
                                                   "matrix-tile_BM16_BN32_BK128_WM16_WN32_AHEAD2_SLICES8",
                                                   "matrix-tile_BM16_BN16_BK128_WM16_WN16_AHEAD2_SLICES8",
                                                   "matrix-tile_BM16_BN64_BK64_WM16_WN16_AHEAD2",
                                                   "matrix-tile_BM16_BN64_BK64_WM16_WN32_AHEAD2",
                                                   "matrix-tile_BM16_BN32_BK64_WM16_WN16_AHEAD2",
                                                   "subgroup-matrix_BK32_PAD8",
                                                   "subgroup-matrix_BK16_PAD8"};

struct Known {
  Candidate candidate;
  For whom;
};

/// A device that nothing is too large for.
const DeviceProfile& boundless() {
  static const DeviceProfile device = [] {
    constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
    DeviceProfile profile;
    profile.limits.max_compute_invocations_per_workgroup = kMost;
    profile.limits.max_compute_workgroup_size_x = kMost;
    profile.limits.max_compute_workgroup_size_y = kMost;
    profile.limits.max_compute_workgroup_storage_size = kMost;
    return profile;
  }();
  return device;
}

void add(std::vector<Known>& list, const std::string& name, For whom, DataType stored) {
  auto kernel = kernels::parse(name);
  if (!kernel) return;  // a test parses them all
  // Of those for few rows, not each goes with every number of them.
  const auto geometry = kernels::check(*kernel, boundless(), stored);
  if (geometry) list.push_back({{std::move(*kernel), *geometry}, whom});
}

/// Figures depend on the size of a stored element alone, so they are worked out once.
struct Lists {
  std::vector<Known> general;
  std::vector<Known> skinny;
};

Lists make_lists(DataType stored) {
  Lists lists;
  const bool bytes = is_byte(stored);
  const std::span<const Named> names = bytes ? std::span<const Named>(kBytes) : kFloating;
  lists.general.reserve(names.size());
  for (const auto& [kernel, whom] : names) add(lists.general, std::string(kernel), whom, stored);
  for (std::uint64_t rows = 1; rows <= kSkinnyRows; rows *= 2) {
    for (const auto& [kernel, whom] : kSkinny) {
      const bool few = rows <= 4;  // more make long texts
      add(lists.skinny, std::string(kernel) + "_TM" + std::to_string(rows), few ? whom : For::hardware,
          stored);
    }
  }
  return lists;
}

const Lists& lists_of(DataType stored) {
  static const std::array<Lists, 3> lists{make_lists(DataType::f32), make_lists(DataType::f16),
                                          make_lists(DataType::i8)};
  return lists.at(is_byte(stored) ? 2 : stored == DataType::f16 ? 1 : 0);
}

/// Whether a kernel for few rows reads B along the axis of its storage, and takes about as many rows as there
/// are.
bool suits(const Candidate& candidate, const planning::Product& product, std::uint64_t most) {
  const bool along_n = candidate.kernel.family->access == kernels::Access::skinny_along_n;
  if (along_n != product.b.row_major) return false;
  // More sums in an invocation make skinny-k several times slower than the model thinks (16 rows by four
  // columns on an H200: 57.7 us for 16x4096x4096 in f16).
  constexpr std::int64_t kMostSums = 16;
  if (!along_n && candidate.geometry.block_m * kernels::value_of(candidate.kernel, "TN") > kMostSums)
    return false;
  const auto rows = std::min(most, std::bit_ceil(std::max<std::uint64_t>(product.m, 1)));
  return candidate.geometry.block_m == rows || std::uint64_t{2} * candidate.geometry.block_m == rows;
}

}  // namespace

std::vector<const Candidate*> candidates(const Problem& problem, const DeviceProfile& profile) {
  const bool software = profile.type == AdapterType::software;
  const auto& lists = lists_of(problem.a.type);
  std::vector<const Candidate*> found;
  const auto product = planning::oriented_product(problem, kernels::Access::skinny_along_n);
  if (product.m <= (software ? kSkinnyRows : kFewRows)) {
    for (const auto& [candidate, whom] : lists.skinny) {
      if (software && whom != For::everyone) continue;
      if (suits(candidate, product, software ? 4 : kSkinnyRows)) found.push_back(&candidate);
    }
  }
  for (const auto& [candidate, whom] : lists.general) {
    if (!software || whom == For::everyone) found.push_back(&candidate);
  }
  return found;
}

std::vector<Candidate> matrix_candidates(const Problem& problem, const DeviceProfile& profile) {
  std::vector<Candidate> found;
  // Emulated ones are slow: they are there to be tested.
  const auto dialect = profile.matrix_dialect;
  if (dialect == MatrixDialect::none || dialect == MatrixDialect::emulated) return found;
  const auto lanes = "_LANES" + std::to_string(profile.subgroup_size);
  for (const auto& config : profile.matrix_configs) {
    if (config.component != problem.a.type || config.result != DataType::f32) continue;
    const auto shape = "_MM" + std::to_string(config.m) + "_MN" + std::to_string(config.n) + "_MK" +
                       std::to_string(config.k) + lanes;
    for (const auto name : kMatrix) {
      auto kernel = kernels::parse(std::string(name) + shape);
      if (!kernel) continue;  // a shape or a subgroup that the family does not have
      const auto geometry = kernels::geometry(*kernel, problem.a.type);
      if (geometry) found.push_back({std::move(*kernel), *geometry});
    }
  }
  return found;
}

const Candidate& fallback(DataType stored) { return lists_of(stored).general.back().candidate; }

}  // namespace wgemm::selection
