// The judgement on one result: every element that should be written is, and lies where it must; nothing else
// was touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "verify/host_problem.hpp"

namespace wgemm::verify {

struct Judgement {
  double error_over_bound = 0;      ///< largest over the compared elements; infinite for NaN
  std::uint64_t compared = 0;       ///< elements
  std::uint64_t compared_bits = 0;  ///< of them, those for which only one value is right
  std::string fault;                ///< the first thing that is wrong; empty where nothing is
};

/// Against the componentwise bound of core/checking/error_bound.hpp, in rows `rows` of each product of the
/// batch; poison, gaps and guards are looked at everywhere. `c_after` is the buffer of C behind the run, as
/// long as it was before it. The inputs are finite and not denormal.
Judgement judge_bound(const HostProblem& given, std::span<const std::byte> c_after,
                      std::span<const std::uint64_t> rows);

/// The same for inputs that are small integers (Numbers::integers): for equality wherever the result is exact
/// whatever the order of the sum; a narrower C may hold either neighbour of a result that it cannot hold.
Judgement judge_exact(const HostProblem& given, std::span<const std::byte> c_after,
                      std::span<const std::uint64_t> rows);

}  // namespace wgemm::verify
