#include "cli/product/batch.hpp"

#include <algorithm>

namespace wgemm::cli {
namespace {

/// The extent `from_last` dimensions before the end; 1 where there are fewer.
std::uint64_t extent(const Sizes& shape, std::size_t from_last) {
  return from_last < shape.size() ? shape[shape.size() - 1 - from_last] : 1;
}

}  // namespace

std::optional<Sizes> broadcast(const Sizes& left, const Sizes& right) {
  Sizes shape(std::max(left.size(), right.size()));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto l = extent(left, i);
    const auto r = extent(right, i);
    if (l != r && l != 1 && r != 1) return std::nullopt;
    shape[shape.size() - 1 - i] = l == 1 ? r : l;
  }
  return shape;
}

Sizes broadcast_strides(const Sizes& shape, const Sizes& strides, const Sizes& target) {
  Sizes stretched(target.size(), 0);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto from = shape.size() - 1 - i;
    if (shape[from] != 1) stretched[target.size() - 1 - i] = strides[from];
  }
  return stretched;
}

std::vector<BatchAxis> merged(const std::vector<BatchAxis>& axes) {
  std::vector<BatchAxis> result;
  for (const auto& axis : axes) {
    if (axis.extent == 1) continue;
    if (!result.empty()) {
      auto& outer = result.back();
      const bool even = outer.a == axis.a * axis.extent && outer.b == axis.b * axis.extent &&
                        outer.c == axis.c * axis.extent && outer.residual == axis.residual * axis.extent;
      if (even) {
        outer = {outer.extent * axis.extent, axis.a, axis.b, axis.c, axis.residual};
        continue;
      }
    }
    result.push_back(axis);
  }
  return result;
}

}  // namespace wgemm::cli
