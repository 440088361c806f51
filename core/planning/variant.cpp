#include "core/planning/variant.hpp"

#include "core/planning/operand.hpp"

namespace wgemm::planning {
namespace {

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

std::string label(const Variant& variant) {
  std::string text{variant.a_k_contiguous ? 'r' : 'c', variant.b_k_contiguous ? 'c' : 'r'};
  text += "." + std::string(to_string(variant.type)) + "." + std::string(to_string(variant.c.type));
  text += ".v" + std::to_string(variant.a_width) + std::to_string(variant.b_width) +
          std::to_string(variant.c.width);
  text += variant.bounds ? ".edges" : ".whole";
  if (variant.rank > 0) text += ".batch" + std::to_string(variant.rank);
  if (variant.table) text += ".table";
  if (variant.rank == 0 && variant.offsets) text += ".offsets";
  return text + output_label(variant.c);
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
  flag("C_F32", c.type == DataType::f32);
  flag("C_BY_COLUMN", c.by_column);
  flag("EPILOGUE", c.epilogue());
  flag("SCALED", c.scaled);
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
  names.set("a_element", element_type(variant.type, variant.a_width));
  names.set("b_element", element_type(variant.type, variant.b_width));
  names.set("c_element", element_type(c.type, c.width));
  names.set("bias_element", element_type(c.bias_type, 1));
  names.set("residual_element", element_type(c.residual_type, 1));
  names.set("stored", std::string(to_string(variant.type)));
}

}  // namespace wgemm::planning
