// The names that reports, errors and JSON use for the values of enumerations, and one-line descriptions.
#include <array>
#include <string>

#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {
namespace {

template <typename T, std::size_t Size>
std::string_view name_of(const std::array<std::string_view, Size>& names, T value) {
  return names.at(static_cast<std::size_t>(value));
}

}  // namespace

std::string_view to_string(ErrorCode code) {
  constexpr std::array<std::string_view, 11> names{
      "invalid_argument", "unsupported", "not_found", "compilation", "out_of_memory", "device_lost",
      "validation",       "timeout",     "cancelled", "io",          "internal"};
  return name_of(names, code);
}

std::string_view to_string(DataType type) {
  constexpr std::array<std::string_view, 7> names{"f32", "f16", "i32", "i8", "u8", "i4", "u4"};
  return name_of(names, type);
}

std::string_view to_string(Accumulate accumulate) {
  return accumulate == Accumulate::standard ? "standard" : "f16";
}

std::string_view to_string(Order order) { return order == Order::row_major ? "row_major" : "col_major"; }

std::string_view to_string(Bias bias) {
  constexpr std::array<std::string_view, 3> names{"none", "per_row", "per_column"};
  return name_of(names, bias);
}

std::string_view to_string(Activation activation) {
  constexpr std::array<std::string_view, 6> names{"none", "relu", "gelu", "gelu_tanh", "silu", "clamp"};
  return name_of(names, activation);
}

std::string_view to_string(StepKind kind) {
  constexpr std::array<std::string_view, 4> names{"multiply", "transpose", "pad", "reduce"};
  return name_of(names, kind);
}

std::string_view to_string(BufferRole role) {
  constexpr std::array<std::string_view, 9> names{"a",      "b",     "c",        "bias",   "residual",
                                                  "scales", "zeros", "constant", "scratch"};
  return name_of(names, role);
}

std::string_view to_string(EdgePolicy edges) { return edges == EdgePolicy::checked ? "checked" : "padded"; }

std::string describe(const Problem& problem) {
  const auto letter = [](Order order) { return order == Order::row_major ? 'r' : 'c'; };
  auto text = std::to_string(problem.m) + "x" + std::to_string(problem.n) + "x" + std::to_string(problem.k) +
              " " + std::string(to_string(problem.a.type));
  if (problem.b.type != problem.a.type) text += " x " + std::string(to_string(problem.b.type));
  if (const auto block = problem.quantization.block; block != 0) {
    text +=
        " in blocks of " + std::to_string(block) + (problem.quantization.zeros ? " with zero points" : "");
  }
  if (problem.accumulate == Accumulate::f16) text += " summed in f16";
  if (problem.c.type != problem.a.type) text += "->" + std::string(to_string(problem.c.type));
  text += std::string(" ") + letter(problem.a.order) + letter(problem.b.order) + letter(problem.c.order);
  if (problem.trans_a == Transpose::transpose) text += " trans_a";
  if (problem.trans_b == Transpose::transpose) text += " trans_b";
  if (!problem.batch.table.empty()) text += " batch of " + std::to_string(problem.batch.table.size());
  if (problem.batch.rank > 0) {
    text += " batch ";
    for (std::uint32_t d = 0; d < problem.batch.rank; ++d) {
      text += (d == 0 ? "" : "x") + std::to_string(problem.batch.extents.at(d));
    }
  }
  if (problem.alpha != 1) text += " alpha " + std::to_string(problem.alpha);
  if (problem.beta != 0) text += " beta " + std::to_string(problem.beta);
  const auto& epilogue = problem.epilogue;
  if (epilogue.bias != Bias::none) text += " bias " + std::string(to_string(epilogue.bias));
  if (epilogue.activation != Activation::none) text += " " + std::string(to_string(epilogue.activation));
  if (epilogue.add_residual) text += " residual";
  return text;
}

}  // namespace wgemm
