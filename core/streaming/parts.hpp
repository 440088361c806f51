// Which part of each operand a panel takes, as copies between the caller's buffer and one of the panel's own.
#pragma once

#include <cstdint>
#include <vector>

#include "core/streaming/panels.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {

/// Where lines lie in a buffer, in elements.
struct Spacing {
  std::uint64_t start = 0;   ///< of the first line of the first matrix
  std::uint64_t line = 0;    ///< from a line to the next
  std::uint64_t matrix = 0;  ///< from a matrix to the next
};

/// Lines of elements that lie equally far apart, in matrices that do.
struct StridedCopy {
  std::uint64_t length = 0;  ///< elements of a line, one behind the other in both buffers
  std::uint64_t lines = 0;   ///< of a matrix
  std::uint64_t matrices = 1;
  Spacing caller;
  Spacing panel;
};

/// Lines start at whole bytes, those of 4-bit elements too.
struct Part {
  BufferRole role = BufferRole::a;
  DataType caller_type = DataType::f32;
  /// Differs for C alone: f32 sums on the device of what is f16 at the caller's (Streaming::c_type).
  DataType panel_type = DataType::f32;
  std::uint64_t bytes = 0;  ///< of the panel's buffer; 0 where the problem has no such operand
  std::vector<StridedCopy> copies;
};

/// The panel's part of one of the caller's buffers. Panels that differ in k alone have one C, bias and
/// residual.
Part part_of(const Problem& whole, const Panel& panel, DataType c_type, BufferRole role);

}  // namespace wgemm
