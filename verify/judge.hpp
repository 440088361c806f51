// The judgement on one result: every element that should be written is, and lies where it must; nothing else
// was touched.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/checking/product.hpp"
#include "verify/host_matrix.hpp"

namespace wgemm::verify {

struct Judgement {
  double error_over_bound = 0;  ///< largest over the compared elements; infinite for NaN
  std::uint64_t compared = 0;   ///< elements
  std::string fault;            ///< the first thing that is wrong; empty where nothing is
};

/// Against the componentwise bound of core/checking/error_bound.hpp for `k` terms. `expected` holds rows
/// `rows`.
Judgement judge_bound(const HostMatrix& c, std::uint64_t k, std::span<const std::uint64_t> rows,
                      const checking::Product& expected);

/// For exact equality; only where the expected integer is no f16 value may an f16 C hold either neighbour.
Judgement judge_exact(const HostMatrix& c, std::span<const std::uint64_t> rows,
                      const checking::Product& expected);

}  // namespace wgemm::verify
