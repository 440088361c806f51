#include "core/planning/cut.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/planning/pieces.hpp"
#include "core/planning/ranges.hpp"

namespace wgemm::planning {
namespace {

/// Elements of a binding: places of a tile beyond its end must not wrap around 2^32.
constexpr std::uint64_t kIndexable = (std::uint64_t{1} << 32U) - (std::uint64_t{1} << 20U);
constexpr std::uint64_t kMostPieces = 16384;

/// How many times the limits an operand of that many elements is, rounded up.
std::uint64_t excess_of(DataType type, std::uint64_t elements, std::uint64_t slack, const CutLimits& limits) {
  return std::max(blocks(size_of(type, elements) + slack, limits.binding), blocks(elements, kIndexable));
}

/// Whether some buffer must be bound in part, because it is too large.
bool needs_windows(const Product& product, const CutLimits& limits) {
  if (limits.windows) return true;
  // Where nothing is cut, the whole buffer is bound.
  return std::ranges::any_of(ranges_of(product), [&](const Range& range) {
    return excess_of(range.type, range.offset + range.elements, 0, limits) > 1;
  });
}

/// Cuts sizes down until everything fits.
class Shrink {
 public:
  Shrink(const Product& product, const Placement& placement, const CutLimits& limits)
      : whole_(product),
        placement_(placement),
        limits_(limits),
        sizes_(sizes_of(product)),
        windows_(needs_windows(product, limits)) {}

  [[nodiscard]] bool windows() const { return windows_; }
  [[nodiscard]] std::uint32_t split_k() const { return placement_.split_k; }
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }

  /// Whether everything fits at last. If not, `scratch_is_short` says why.
  bool run() {
    while (true) {
      const auto progress = next();
      if (progress == Progress::fits) return true;
      if (progress == Progress::stuck && ++level_ > 2) return false;
    }
  }
  [[nodiscard]] bool scratch_is_short() const { return scratch_is_short_; }

 private:
  [[nodiscard]] bool cuttable(std::size_t axis) const {
    // A batch by table stays whole: the table is read from its first entry.
    return sizes_.at(axis) > grain(axis) && (axis < kBatch || whole_.table == 0);
  }

  /// What sizes are a multiple of, as long as that suffices: whole blocks, then vectors, then one.
  [[nodiscard]] std::uint64_t grain(std::size_t axis) const {
    const auto& figures = placement_.geometry;
    if (axis == kK) {
      const auto block = std::max({std::uint64_t{figures.block_k}, limits_.quantum, std::uint64_t{4}});
      return level_ == 0 ? block : limits_.quantum > 1 ? limits_.quantum : level_ == 1 ? 4 : 1;
    }
    if (axis > kK || level_ == 2) return 1;
    if (level_ == 1) return 4;
    return round_up(axis == kM ? figures.block_m : figures.block_n, 4);
  }

  bool cut(std::size_t axis, std::uint64_t excess) {
    if (!cuttable(axis)) return false;
    auto& size = sizes_.at(axis);
    const auto unit = grain(axis);
    const auto wanted = round_up(blocks(size, std::max<std::uint64_t>(excess, 2)), unit);
    // Never the same again, and never less than the unit.
    size = std::max(unit, std::min(wanted, (size - 1) / unit * unit));
    return true;
  }

  /// Cuts along the axis that spreads the range most.
  bool cut_range(const Range& range, std::uint64_t excess) {
    std::size_t best = kBatch;
    std::uint64_t spread = 0;
    const auto consider = [&](std::size_t axis, std::uint64_t elements) {
      if (elements <= spread || !cuttable(axis)) return;
      spread = elements;
      best = axis;
    };
    consider(range.outer, (sizes_.at(range.outer) - 1) * range.ld);
    for (std::uint32_t d = 0; d < whole_.rank; ++d) {
      consider(kBatch + d, (sizes_.at(kBatch + d) - 1) * range.strides.at(d));
    }
    // Along a line only where there is no more than one.
    if (sizes_.at(range.outer) == 1 && spread < sizes_.at(range.inner)) {
      consider(range.inner, sizes_.at(range.inner));
    }
    return spread > 0 && cut(best, excess);
  }

  bool cut_scratch(const Product& piece, const Arrangement& plan, std::uint64_t excess) {
    if (placement_.split_k > 1 && !placement_.split_forced) {
      placement_.split_k = 1;
      return true;
    }
    const bool most_a = plan.a_bytes >= std::max(plan.b_bytes, plan.partial_bytes);
    const bool most_b = plan.b_bytes >= std::max(plan.a_bytes, plan.partial_bytes);
    // A copy that products share is no smaller for fewer of them.
    const auto grows = [&](std::size_t d) {
      return most_a ? plan.a.strides.at(d) != 0 : !most_b || plan.b.strides.at(d) != 0;
    };
    for (std::uint32_t d = 0; d < whole_.rank; ++d) {
      if (grows(d) && cuttable(kBatch + d)) return cut(kBatch + d, excess);
    }
    const bool rows_first = most_a || (!most_b && piece.m >= piece.n);
    const auto axes = rows_first ? std::array{kM, kN, kK} : std::array{kN, kM, kK};
    if (cut(axes[0], excess) || cut(axes[1], excess) || cut(axes[2], excess)) return true;
    for (std::uint32_t d = 0; d < whole_.rank; ++d) {
      if (cuttable(kBatch + d)) return cut(kBatch + d, excess);
    }
    return false;
  }

  /// The scratch of a piece, or of one at the edges of the product, which may have to be padded where others
  /// need not.
  [[nodiscard]] Arrangement worst_arrangement(const Product& piece) const {
    auto plan = arrange(piece, placement_);
    // The last piece along k is shorter, and may come in more parts for it: 20 in five of 4, 24 in three
    // of 8.
    if (piece.k != whole_.k && placement_.split_k > 1) {
      plan.parts =
          std::max(plan.parts, std::min(std::uint64_t{placement_.split_k}, blocks(plan.k, plan.unit)));
      if (plan.parts > 1) {
        const auto elements = plan.rows * plan.cols * plan.parts * batch_count(piece);
        plan.partial_bytes = std::max(plan.partial_bytes, word_bytes(DataType::f32, elements));
      }
    }
    // The last piece along an axis may not be aligned where the first one is.
    const bool wide_vectors = placement_.kernel.family->access == kernels::Access::vectors_wide;
    const auto copied_wide = [&](const Operand& operand) {
      const auto vector = wide(operand.type);
      return copy_bytes(copy_of(operand, piece, round_up(operand.rows, vector),
                                round_up(operand.cols, vector), operand.row_major, false),
                        piece);
    };
    if (wide_vectors && !is_aligned(whole_.a, wide(whole_.a.type)))
      plan.a_bytes = std::max(plan.a_bytes, copied_wide(piece.a));
    if (wide_vectors && !is_aligned(whole_.b, wide(whole_.b.type)))
      plan.b_bytes = std::max(plan.b_bytes, copied_wide(piece.b));
    if (placement_.edges != EdgePolicy::padded) return plan;
    const auto& figures = placement_.geometry;
    const bool rows = whole_.m % figures.block_m != 0;
    const bool cols = whole_.n % figures.block_n != 0;
    const bool depth = whole_.k % figures.block_k != 0;
    const auto k = round_up(plan.k, figures.block_k);
    const bool words = placement_.kernel.family->access == kernels::Access::words_along_k;
    const auto copied = [&](const Operand& operand, std::uint64_t height, std::uint64_t width) {
      return copy_bytes(copy_of(operand, piece, height, width, operand.row_major, words), piece);
    };
    if (rows || depth) plan.a_bytes = std::max(plan.a_bytes, copied(piece.a, plan.rows, k));
    if (cols || depth) plan.b_bytes = std::max(plan.b_bytes, copied(piece.b, k, plan.cols));
    if (rows || cols) {
      const auto elements = plan.rows * plan.cols * plan.parts * batch_count(piece);
      plan.partial_bytes = std::max(plan.partial_bytes, word_bytes(DataType::f32, elements));
    }
    return plan;
  }

  enum class Progress : std::uint8_t { fits, cut, stuck };

  /// Cuts once for each thing that does not fit.
  Progress next() {
    const auto piece = crop(whole_, {}, sizes_);
    auto progress = Progress::fits;
    const auto note = [&](bool done) {
      if (done) progress = Progress::cut;
      if (!done && progress == Progress::fits) progress = Progress::stuck;
      return done;
    };
    if (windows_) {
      for (const auto& range : ranges_of(piece)) {
        const auto excess = excess_of(range.type, range.elements, limits_.alignment + 4, limits_);
        if (excess > 1 && note(cut_range(range, excess))) return progress;
      }
    }
    const auto plan = worst_arrangement(piece);
    std::uint64_t sums = 0;
    if (piece.k != whole_.k && !sums_in_c(whole_)) {
      sums = word_bytes(DataType::f32, piece.m * piece.n * batch_count(piece));
    }
    auto excess = blocks(std::max({plan.a_bytes, plan.b_bytes, plan.partial_bytes, sums}), limits_.binding);
    if (limits_.scratch != 0) {
      excess =
          std::max(excess, blocks(plan.a_bytes + plan.b_bytes + plan.partial_bytes + sums, limits_.scratch));
    }
    scratch_is_short_ = excess > 1;
    if (excess > 1) note(cut_scratch(piece, plan, excess));
    return progress;
  }

  const Product& whole_;
  Placement placement_;
  const CutLimits& limits_;
  Sizes sizes_;
  bool windows_;
  int level_ = 0;
  bool scratch_is_short_ = false;
};

}  // namespace

bool sums_in_c(const Product& product) { return product.c.type == partial_type(product); }

Result<Cut> cut(const Product& product, const Placement& placement, const CutLimits& limits) {
  Shrink shrink(product, placement, limits);
  if (!shrink.run()) {
    if (shrink.scratch_is_short()) {
      return fail(ErrorCode::unsupported, limits.scratch != 0 ? "scratch_cap" : "maxStorageBufferBindingSize",
                  kernels::name(placement.kernel) + " needs more scratch memory than the " +
                      std::to_string(limits.scratch != 0 ? limits.scratch : limits.binding) +
                      " bytes that are allowed, for a single block even");
    }
    return fail(
        ErrorCode::unsupported, "maxStorageBufferBindingSize",
        "no part of a matrix, however small, fits a binding of " + std::to_string(limits.binding) + " bytes");
  }
  const auto& sizes = shrink.sizes();
  const auto all = sizes_of(product);
  double count = 1;
  for (std::size_t axis = 0; axis < kBatch + product.rank; ++axis) {
    if (all.at(axis) != 0) count *= static_cast<double>(blocks(all.at(axis), sizes.at(axis)));
  }
  if (count > static_cast<double>(kMostPieces)) {
    return fail(ErrorCode::unsupported, "maxStorageBufferBindingSize",
                "bindings of " + std::to_string(limits.binding) + " bytes would need more than " +
                    std::to_string(kMostPieces) + " products of parts of the matrices");
  }
  Cut result{pieces_of(product, sizes), shrink.split_k()};
  if (shrink.windows()) {
    for (auto& piece : result.pieces) narrow(piece.product, limits.alignment);
  }
  return result;
}

}  // namespace wgemm::planning
