// Copies between the caller's matrices and tight panels of them, on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "native/stream/panels.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::native {

/// Part of a matrix of each product of a panel, as it lies at the caller's and in the panel's own problem.
struct PanelMatrix {
  const Problem& whole;
  const Problem& part;  ///< of panel_problem
  const Panel& panel;
  Matrix matrix = Matrix::a;
};

/// The panel's elements of A, B, C or the residual, in the panel's layout and type.
void gather(const PanelMatrix& from, std::span<const std::byte> elements, std::vector<std::byte>& panel);

/// Puts a panel of C back among the caller's elements; touches no others.
void scatter_c(const PanelMatrix& to, std::span<const std::byte> panel, std::span<std::byte> elements);

/// The panel's part of the bias.
std::span<const std::byte> bias_of(const Problem& whole, const Panel& panel, std::span<const std::byte> bias);

/// The panel's scales, or zero points, of a quantised B: `bits` wide, `rows` of whole bytes.
void gather_scales(const Problem& whole, const Panel& panel, std::span<const std::byte> scales,
                   std::vector<std::byte>& part);
void gather_zeros(const Problem& whole, const Panel& panel, std::span<const std::byte> zeros,
                  std::vector<std::byte>& part);

}  // namespace wgemm::native
