// All that changes a kernel's text besides its parameters. Sizes are no part of it: they are uniforms.
#pragma once

#include <cstdint>
#include <string>

#include "core/text/environment.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::planning {

/// How C is written.
struct OutputVariant {
  DataType type = DataType::f32;
  std::uint32_t width = 1;  ///< elements of one access
  bool by_column = false;   ///< columns are contiguous; width is 1 then
  bool aligned = false;     ///< matrix units may write rows: each starts at a multiple of 4 elements
  bool scaled = false;      ///< alpha or beta stand in the uniform block
  bool beta = false;        ///< the old C is read
  Bias bias = Bias::none;
  DataType bias_type = DataType::f32;
  Activation activation = Activation::none;
  bool residual = false;
  bool residual_row_major = true;
  DataType residual_type = DataType::f32;

  /// An i32 C is the sum, or the old C and the sum.
  [[nodiscard]] bool scales() const { return scaled && type != DataType::i32; }
  [[nodiscard]] bool epilogue() const {
    return scales() || bias != Bias::none || activation != Activation::none || residual;
  }
};

struct Variant {
  bool a_k_contiguous = true;   ///< A is row-major
  bool b_k_contiguous = false;  ///< B is column-major
  DataType a_type = DataType::f32;
  DataType b_type = DataType::f32;
  DataType sum = DataType::f32;  ///< what products are summed in
  bool half_words = false;       ///< no shader-f16: halfs lie in words
  std::uint32_t a_width = 1;     ///< elements of one access
  std::uint32_t b_width = 1;
  bool a_quantised = false;  ///< at most one of them
  bool b_quantised = false;
  DataType scale_type = DataType::f32;
  bool zeros = false;  ///< zero points lie in a buffer
  OutputVariant c;
  bool bounds = true;      ///< some tile reaches beyond a matrix
  std::uint32_t rank = 0;  ///< batch dimensions
  bool table = false;      ///< a table says where matrices of the batch start
  bool offsets = false;    ///< a matrix does not start at the beginning of its buffer
  bool partials = false;   ///< of the reduce kernel: several results are added

  [[nodiscard]] bool quantised() const { return a_quantised || b_quantised; }
  /// Whether some buffer holds halfs.
  [[nodiscard]] bool stores_half() const;
  /// Whether the text wants the feature shader-f16.
  [[nodiscard]] bool needs_f16() const { return sum == DataType::f16 || (stores_half() && !half_words); }
  /// Whether the places of the matrices are computed: the uniform block then holds offsets.
  [[nodiscard]] bool based() const { return offsets || rank > 0 || c.residual; }
};

/// Bindings in group 0 beside A, B and C, which are 0 to 2.
constexpr std::uint32_t kDimsBinding = 3;
constexpr std::uint32_t kBiasBinding = 4;
constexpr std::uint32_t kResidualBinding = 5;
constexpr std::uint32_t kScalesBinding = 6;
constexpr std::uint32_t kZerosBinding = 7;
constexpr std::uint32_t kTableBinding = 8;

/// The same label means the same text (for one kernel and dialect).
std::string label(const Variant& variant);

/// The names of a quantised operand of that type.
void set_quantised_names(text::Environment& names, DataType code, DataType scale, bool zeros,
                         bool half_words);

/// The names under which the texts below core/kernels/operands know the variant.
void set_names(text::Environment& names, const Variant& variant);

}  // namespace wgemm::planning
