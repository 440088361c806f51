// The pieces of a product, by where they start and how large they are.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/planning/product.hpp"
#include "core/planning/ranges.hpp"

namespace wgemm::planning {

/// A part of a product that is carried out on its own.
struct Piece {
  Product product;
  bool first_k = true;  ///< starts at k = 0
  bool last_k = true;
};

/// A number for each axis of a product: sizes, or where a piece starts.
using Sizes = std::array<std::uint64_t, kBatch + kMaxRank>;

Sizes sizes_of(const Product& product);

/// The piece of the product from `at`, of `sizes`.
Product crop(const Product& whole, const Sizes& at, const Sizes& sizes);

/// The pieces of those sizes, smaller ones at the ends. Pieces that differ in k alone follow each other.
std::vector<Piece> pieces_of(const Product& whole, const Sizes& sizes);

}  // namespace wgemm::planning
