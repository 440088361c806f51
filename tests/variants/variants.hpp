// Every distinct shader text of a complete set: each family with each value of each of its parameters at
// least once, each rung, in all layouts, types, widths, with and without edges, and with matrix units spelled
// in every way.
#pragma once

#include <cstddef>
#include <functional>

#include "wgemm/device_profile.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::testing {

struct Variant {
  const Shader& shader;
  MatrixDialect matrix_dialect;
  /// Whether a device of the specification's minimum limits creates a pipeline of it, too.
  bool pipeline;
};

/// The texts for one of the two compilers. Gives how many kernels could not be planned: there should be none.
std::size_t for_each_variant(Dialect dialect, const std::function<void(const Variant&)>& visit);

}  // namespace wgemm::testing
