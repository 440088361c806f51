// The words of a kernel's uniform block, in the order of core/kernels/operands/dims.wgsl.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planning/product.hpp"
#include "core/planning/variant.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::planning {

/// In the uniform block of every kernel, the words that say where a dispatch starts in the grid.
constexpr std::size_t kGroupXWord = 6;
constexpr std::size_t kGroupYWord = 7;

struct Uniforms {
  std::vector<std::uint32_t> words;
  std::size_t batch_word =
      0;  ///< index of the word that says at which product of the batch a dispatch starts; 0: none
};

/// What the reduce kernel adds up.
struct Partials {
  std::uint64_t parts = 0;
  std::uint64_t stride = 0;  ///< elements from one part to the next
};

Uniforms uniforms_for(const Product& product, const Variant& variant, const Epilogue& epilogue,
                      const Partials& partials = {});

}  // namespace wgemm::planning
