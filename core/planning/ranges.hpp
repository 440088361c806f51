// The parts of the caller's buffers that a product touches: how long each is, along which axes it grows, and
// how little of a buffer must be bound for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/planning/product.hpp"

namespace wgemm::planning {

/// The axes of a product: m, n, k, and behind them the dimensions of the batch.
constexpr std::size_t kM = 0;
constexpr std::size_t kN = 1;
constexpr std::size_t kK = 2;
constexpr std::size_t kBatch = 3;

struct Range {
  DataType type = DataType::f32;
  std::uint64_t offset = 0;  ///< elements in front of it
  std::uint64_t elements = 0;
  std::size_t outer = kM;  ///< the axis that its lines stand for
  std::size_t inner = kK;  ///< the axis that runs along a line
  std::uint64_t ld = 0;    ///< elements between the starts of two lines
  Strides strides{};       ///< elements between the matrices of a batch
};

/// Those of A, B, C, the residual, the bias, scales and zero points, as far as the product has them.
std::vector<Range> ranges_of(const Product& product);

/// Binds no more of each buffer than its range, from a multiple of `alignment` bytes.
void narrow(Product& product, std::uint64_t alignment);

}  // namespace wgemm::planning
