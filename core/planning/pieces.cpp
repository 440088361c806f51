#include "core/planning/pieces.hpp"

#include <algorithm>

namespace wgemm::planning {
namespace {

/// An operand moved by `at` rows and columns and batch indices, and cropped to `rows` x `cols`.
void move(Operand& operand, std::uint64_t row, std::uint64_t col, std::uint64_t rows, std::uint64_t cols,
          const Product& product, const Sizes& at) {
  operand.rows = rows;
  operand.cols = cols;
  move_start(operand, row, col);
  for (std::uint32_t d = 0; d < product.rank; ++d)
    operand.offset += at.at(kBatch + d) * operand.strides.at(d);
}

}  // namespace

Sizes sizes_of(const Product& product) {
  Sizes sizes{product.m, product.n, product.k};
  std::ranges::copy(product.extents, sizes.begin() + kBatch);
  return sizes;
}

Product crop(const Product& whole, const Sizes& at, const Sizes& sizes) {
  auto piece = whole;
  piece.m = sizes[kM];
  piece.n = sizes[kN];
  piece.k = sizes[kK];
  std::copy_n(sizes.begin() + kBatch, kMaxRank, piece.extents.begin());
  move(piece.a, at[kM], at[kK], piece.m, piece.k, whole, at);
  move(piece.b, at[kK], at[kN], piece.k, piece.n, whole, at);
  move(piece.c, at[kM], at[kN], piece.m, piece.n, whole, at);
  move(piece.residual, at[kM], at[kN], piece.m, piece.n, whole, at);
  if (whole.bias != Bias::none) piece.bias_offset += at.at(whole.bias == Bias::per_row ? kM : kN);
  return piece;
}

std::vector<Piece> pieces_of(const Product& whole, const Sizes& sizes) {
  std::vector<Piece> pieces;
  const auto all = sizes_of(whole);
  Sizes at{};
  while (true) {
    auto piece_sizes = sizes;
    for (std::size_t axis = 0; axis < all.size(); ++axis) {
      piece_sizes.at(axis) = std::min(sizes.at(axis), all.at(axis) - at.at(axis));
    }
    pieces.push_back({crop(whole, at, piece_sizes), at[kK] == 0, at[kK] + piece_sizes[kK] == whole.k});
    // The next place: k runs fastest, then n, m and the batch from its last dimension.
    constexpr std::array<std::size_t, kBatch> kOrder{kK, kN, kM};
    std::size_t turn = 0;
    for (; turn < kBatch + whole.rank; ++turn) {
      const auto axis = turn < kBatch ? kOrder.at(turn) : kBatch + whole.rank - 1 - (turn - kBatch);
      at.at(axis) += sizes.at(axis);
      if (at.at(axis) < all.at(axis)) break;
      at.at(axis) = 0;
    }
    if (turn == kBatch + whole.rank) return pieces;
  }
}

}  // namespace wgemm::planning
