#include "core/planning/variant.hpp"

#include "core/planning/operand.hpp"

namespace wgemm::planning {
namespace {

bool is_signed(DataType type) { return type == DataType::i8 || type == DataType::i4; }

std::string output_label(const OutputVariant& c) {
  std::string text;
  if (c.by_column) text += ".by-column";
  if (c.scaled) text += c.beta ? ".alpha.beta" : ".alpha";
  if (c.bias != Bias::none) {
    text += "." + std::string(c.bias == Bias::per_row ? "bias-row" : "bias-column") + "-" +
            std::string(to_string(c.bias_type));
  }
  if (c.activation != Activation::none) text += "." + std::string(to_string(c.activation));
  if (c.residual) {
    text += std::string(".residual-") + (c.residual_row_major ? 'r' : 'c') + "-" +
            std::string(to_string(c.residual_type));
  }
  return text;
}

}  // namespace

bool Variant::stores_half() const {
  constexpr auto kHalf = DataType::f16;
  return a_type == kHalf || b_type == kHalf || c.type == kHalf ||
         (c.bias != Bias::none && c.bias_type == kHalf) || (c.residual && c.residual_type == kHalf) ||
         (quantised() && scale_type == kHalf);
}

std::string label(const Variant& variant) {
  std::string text{variant.a_k_contiguous ? 'r' : 'c', variant.b_k_contiguous ? 'c' : 'r'};
  text += "." + std::string(to_string(variant.a_type));
  if (variant.b_type != variant.a_type) text += "x" + std::string(to_string(variant.b_type));
  if (variant.quantised()) text += "-scales-" + std::string(to_string(variant.scale_type));
  if (variant.zeros) text += "-zeros";
  text += "." + std::string(to_string(variant.c.type));
  if (variant.sum == DataType::f16) text += ".sums-f16";
  if (variant.half_words && variant.stores_half()) text += ".half-words";
  text += ".v" + std::to_string(variant.a_width) + std::to_string(variant.b_width) +
          std::to_string(variant.c.width) + (variant.c.aligned ? "a" : "");
  text += variant.bounds ? ".edges" : ".whole";
  if (variant.rank > 0) text += ".batch" + std::to_string(variant.rank);
  if (variant.table) text += ".table";
  if (variant.rank == 0 && variant.offsets) text += ".offsets";
  return text + output_label(variant.c);
}

void set_quantised_names(text::Environment& names, DataType code, DataType scale, bool zeros,
                         bool half_words) {
  names.set("SCALES_BINDING", kScalesBinding);
  names.set("ZEROS_BINDING", kZerosBinding);
  names.set("ZEROS", zeros ? 1 : 0);
  names.set("CODE_BITS", bits_of(code));
  names.set("CODE_SIGNED", is_signed(code) ? 1 : 0);
  names.set("ZERO_POINT", is_signed(code) ? 0 : std::int64_t{1} << (bits_of(code) - 1));
  names.set("SCALES_WORDS", packed_bits(scale, half_words) != 0 ? 1 : 0);
  names.set("scales_element", element_type(scale, 1, half_words));
}

void set_names(text::Environment& names, const Variant& variant) {
  const auto flag = [&](std::string_view name, bool value) { names.set(name, std::int64_t{value ? 1 : 0}); };
  const auto& c = variant.c;
  flag("BOUNDS", variant.bounds);
  flag("A_K_CONTIGUOUS", variant.a_k_contiguous);
  flag("B_K_CONTIGUOUS", variant.b_k_contiguous);
  names.set("A_V", variant.a_width);
  names.set("B_V", variant.b_width);
  names.set("C_V", c.width);
  names.set("RANK", variant.rank);
  names.set("DIMS_BINDING", kDimsBinding);
  names.set("TABLE_BINDING", kTableBinding);
  flag("TABLE", variant.table);
  flag("BASED", variant.based());
  flag("PARTIALS", variant.partials);
  const bool half_words = variant.half_words;
  names.set("A_BITS", packed_bits(variant.a_type, half_words));
  names.set("B_BITS", packed_bits(variant.b_type, half_words));
  flag("A_SIGNED", is_signed(variant.a_type));
  flag("B_SIGNED", is_signed(variant.b_type));
  flag("A_QUANTISED", variant.a_quantised);
  flag("B_QUANTISED", variant.b_quantised);
  flag("QUANTISED", variant.quantised());
  if (variant.quantised()) {
    set_quantised_names(names, variant.a_quantised ? variant.a_type : variant.b_type, variant.scale_type,
                        variant.zeros, half_words);
  }
  flag("INTEGERS", variant.sum == DataType::i32);
  flag("C_ALIGNED", c.aligned);
  flag("C_BY_COLUMN", c.by_column);
  flag("C_I32", c.type == DataType::i32);
  const bool c_words = packed_bits(c.type, half_words) != 0;
  flag("C_WORDS", c_words);
  flag("BIAS_WORDS", packed_bits(c.bias_type, half_words) != 0);
  flag("RESIDUAL_WORDS", packed_bits(c.residual_type, half_words) != 0);
  names.set("BIAS_BINDING", kBiasBinding);
  names.set("RESIDUAL_BINDING", kResidualBinding);
  flag("EPILOGUE", c.epilogue());
  flag("SCALED", c.scales());
  flag("BETA", c.beta);
  flag("BIAS_ROW", c.bias == Bias::per_row);
  flag("BIAS_COLUMN", c.bias == Bias::per_column);
  flag("RELU", c.activation == Activation::relu);
  flag("GELU", c.activation == Activation::gelu);
  flag("GELU_TANH", c.activation == Activation::gelu_tanh);
  flag("SILU", c.activation == Activation::silu);
  flag("CLAMP", c.activation == Activation::clamp);
  flag("RESIDUAL", c.residual);
  flag("RESIDUAL_ROW_MAJOR", c.residual_row_major);
  names.set("a_element", element_type(variant.a_type, variant.a_width, half_words));
  names.set("b_element", element_type(variant.b_type, variant.b_width, half_words));
  names.set("c_element", c_words && c.width == 1 ? "atomic<u32>" : element_type(c.type, c.width, half_words));
  names.set("bias_element", element_type(c.bias_type, 1, half_words));
  names.set("residual_element", element_type(c.residual_type, 1, half_words));
  names.set("accumulate", std::string(to_string(variant.sum)));
}

}  // namespace wgemm::planning
