// Batches: dimensions that are broadcast as NumPy does, and as few of them as say the same.
#pragma once

#include <optional>
#include <vector>

#include "cli/npy/array.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

/// The shape that both can be stretched to, counted from the last dimension; nothing where a dimension
/// differs and neither is 1.
std::optional<Sizes> broadcast(const Sizes& left, const Sizes& right);

/// Strides over `target` of an array of `shape` that can be stretched to it: 0 where it is.
Sizes broadcast_strides(const Sizes& shape, const Sizes& strides, const Sizes& target);

/// One dimension of a batch and the distance that each operand takes along it.
struct BatchAxis {
  std::uint64_t extent = 1;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
  std::uint64_t residual = 0;
};

/// The same batch with neighbouring dimensions made one where every operand runs through them in even steps.
std::vector<BatchAxis> merged(const std::vector<BatchAxis>& axes);

}  // namespace wgemm::cli
