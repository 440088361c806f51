// The float64 reference for sizes at which a triple loop would take too long: by OpenBLAS's dgemm.
#pragma once

#include <cstdint>
#include <span>

#include "core/checking/product.hpp"
#include "verify/host_matrix.hpp"

namespace wgemm::verify {

enum class Magnitude : std::uint8_t { skip, compute };

/// Rows `rows` of A B, and of |A||B| where asked; otherwise Product::magnitude is empty. Reads the operands
/// as they are stored, so f16 operands are judged by their rounded values.
checking::Product reference_rows(const HostMatrix& a, const HostMatrix& b,
                                 std::span<const std::uint64_t> rows, Magnitude magnitude);

}  // namespace wgemm::verify
