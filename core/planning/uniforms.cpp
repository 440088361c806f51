#include "core/planning/uniforms.hpp"

#include <bit>

namespace wgemm::planning {

Uniforms uniforms_for(const Product& product, const Variant& variant, const Epilogue& epilogue,
                      const Partials& partials) {
  const auto& a = product.a;
  const auto& b = product.b;
  const auto& c = product.c;
  const auto& residual = product.residual;
  const auto& weights = a.quantised() ? a.blocks : b.blocks;
  Uniforms uniforms;
  auto& words = uniforms.words;
  const auto add = [&](auto... values) { (words.push_back(static_cast<std::uint32_t>(values)), ...); };
  const auto add_float = [&](float value) { words.push_back(std::bit_cast<std::uint32_t>(value)); };
  add(product.m, product.n, product.k, a.ld, b.ld, c.ld, 0, 0);
  if (variant.based()) add(a.offset, b.offset, c.offset, residual.offset, product.bias_offset);
  if (variant.rank > 0) {
    uniforms.batch_word = words.size();
    add(0);
    for (std::uint32_t d = 0; d < variant.rank; ++d) {
      add(product.extents.at(d), a.strides.at(d), b.strides.at(d), c.strides.at(d), residual.strides.at(d));
      if (variant.quantised()) add(weights.strides.at(d));
    }
  }
  if (variant.table) add(a.table_place, b.table_place, c.table_place, residual.table_place);
  if (variant.quantised()) {
    add(weights.scales.offset, weights.zeros.offset, weights.scales.ld, weights.zeros.ld,
        std::countr_zero(weights.size));
  }
  if (variant.c.scales()) {
    add_float(product.alpha);
    add_float(product.beta);
  }
  if (variant.c.activation == Activation::clamp) {
    add_float(epilogue.lower);
    add_float(epilogue.upper);
  }
  if (variant.c.residual) add(residual.ld);
  if (variant.partials) add(partials.parts, partials.stride);
  return uniforms;
}

}  // namespace wgemm::planning
