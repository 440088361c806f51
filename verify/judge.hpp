// The judgement on one result: every element that should be written is, and lies where it must; nothing else
// was touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/checking/error_bound.hpp"
#include "verify/host_problem.hpp"
#include "verify/reference.hpp"

namespace wgemm::verify {

struct Judgement {
  double error_over_bound = 0;      ///< largest over the compared elements; infinite for NaN
  std::uint64_t compared = 0;       ///< elements
  std::uint64_t compared_bits = 0;  ///< of them, those for which only one value is right
  std::string fault;                ///< the first thing that is wrong; empty where nothing is
};

/// What rows of C are to be for some inputs: made once, it judges any number of results.
struct Expectation {
  checking::Inputs inputs = checking::Inputs::any;
  std::vector<std::uint64_t> rows;  ///< of each product, ascending
  double most = 0;                  ///< bounds all magnitudes
  std::vector<Product> sums;        ///< of each product; magnitudes only where the bound needs them
};

Expectation expect(const HostProblem& given, std::span<const std::uint64_t> rows, checking::Inputs inputs);

/// `expected` belongs to `given`. Poison, gaps and guards are looked at everywhere. `c_after` is the buffer
/// of C behind the run, as long as it was before it.
Judgement judge(const HostProblem& given, const Expectation& expected, std::span<const std::byte> c_after);

/// Against the componentwise bound of core/checking/error_bound.hpp, in rows `rows` of each product of the
/// batch. The inputs are finite and not denormal.
Judgement judge_bound(const HostProblem& given, std::span<const std::byte> c_after,
                      std::span<const std::uint64_t> rows);

/// The same for inputs that are small integers (Numbers::integers): for equality wherever the result is exact
/// whatever the order of the sum; a narrower C may hold either neighbour of a result that it cannot hold.
Judgement judge_exact(const HostProblem& given, std::span<const std::byte> c_after,
                      std::span<const std::uint64_t> rows);

}  // namespace wgemm::verify
