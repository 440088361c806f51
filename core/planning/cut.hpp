// Products cut into pieces whose operands a device can bind: its limit on a binding, and 32-bit indices.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planning/arrange.hpp"
#include "core/planning/pieces.hpp"
#include "core/planning/product.hpp"
#include "wgemm/error.hpp"

namespace wgemm::planning {

struct CutLimits {
  std::uint64_t binding = 0;      ///< bytes
  std::uint64_t scratch = 0;      ///< bytes in all; 0: no bound but that of a binding
  std::uint64_t alignment = 256;  ///< of the start of a binding, bytes
  std::uint64_t quantum = 1;      ///< k is cut at multiples of it
  bool windows = false;           ///< some buffer is larger than a binding
};

struct Cut {
  std::vector<Piece> pieces;
  std::uint32_t split_k = 1;  ///< as the placement says, or less where its results would not fit
};

/// The pieces of a product, each with the windows of its operands; a product that fits as it is comes back as
/// it is. Operands are cut along the outer axis of their storage, and single lines along the inner one; k
/// only where nothing else helps. Errors: unsupported, where no piece could be small enough.
Result<Cut> cut(const Product& product, const Placement& placement, const CutLimits& limits);

/// Whether parts of k are summed in C itself: it keeps what f32 sums need, between pieces that differ in k.
bool sums_in_c(const Product& product);

}  // namespace wgemm::planning
