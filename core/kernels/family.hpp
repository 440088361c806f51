// A kernel family: one .wgsl file with the parameters it takes, the rules they obey and the figures that
// planning and reports derive from them. Everything is data: expressions over the parameters, evaluated by
// core/text/expression.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wgemm::kernels {

struct Parameter {
  std::string_view name;  ///< as the text uses it: TILE, BM, …
  std::int64_t standard;  ///< value where none is given
  std::vector<std::int64_t> values;
  std::string_view meaning;
  bool implied = false;  ///< a kernel's name says it only where it has another value than `standard`
};

/// A rule that a configuration must obey, with what to say when it does not.
struct Constraint {
  std::string_view expression;
  std::string_view reason;
};

/// How a family reads an operand.
enum class Access : std::uint8_t {
  elements,  ///< one element at a time: any layout
  vectors,   ///< four consecutive elements where the layout's alignment allows, else gathered one by one
  vectors_along_k,  ///< four consecutive k only: the planner packs an operand that has another layout
  vectors_wide,   ///< 16 bytes along the contiguous axis: the planner packs an operand that is not aligned so
  words_along_k,  ///< vectors_along_k for integers of 8 bits, four in a word; other operands are refused
  // For few rows of C, which is stored element by element. Vectors of A run along k.
  skinny_along_n,  ///< vectors of B run along its rows, else element by element: any layout
  skinny_along_k,  ///< vectors of B run along k, else element by element: any layout
};

/// Kernels for few rows of C. Where C has few columns instead, the planner gives them the transposed product.
constexpr bool is_skinny(Access access) {
  return access == Access::skinny_along_n || access == Access::skinny_along_k;
}

/// Which axis of the grid runs over the columns of C.
enum class Grid : std::uint8_t { columns_along_x, rows_along_x };

struct Family {
  std::string_view name;
  std::string_view summary;  ///< what this rung adds to the one before, a line
  std::string_view source;   ///< text below core/kernels
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;

  std::string_view workgroup_x;  ///< invocations
  std::string_view workgroup_y;
  std::string_view block_m;  ///< rows of C that a workgroup computes
  std::string_view block_n;  ///< columns of C that a workgroup computes
  std::string_view block_k;  ///< k that it takes at a time
  /// Bytes of workgroup memory; STORED is the size of an operand's element.
  std::string_view workgroup_bytes;
  std::string_view registers;  ///< estimate of 32-bit registers an invocation needs for operands and results
  /// Operations on matrices that the text spells out; of families with matrix units.
  std::string_view operations;
  /// Times that an element of B, of A, is used once it was read from a storage buffer.
  std::string_view reuse_m;
  std::string_view reuse_n;

  Grid grid = Grid::columns_along_x;
  Access access = Access::elements;
  bool matrix_units = false;  ///< needs subgroup matrices of shape MM x MN x MK
};

/// Every family, in the order of the ladder.
const std::vector<Family>& families();

/// nullptr where there is none of that name.
const Family* find_family(std::string_view name);

}  // namespace wgemm::kernels
