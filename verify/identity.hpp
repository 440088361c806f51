// A check of a whole product in O(n^2) operations, where comparing every element with a reference would take
// O(n^3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "verify/host_problem.hpp"

namespace wgemm::verify {

/// Whether the identity says anything of the problem: C is op(A) op(B) alone, without alpha, beta and
/// epilogue.
bool has_identity(const Problem& problem);

/// Integers modulo 2^64.
using Residues = std::vector<std::uint64_t>;

/// What the identity takes of the inputs: made once, it looks at any number of results.
struct Identity {
  Residues x;                   ///< n random numbers
  std::vector<Residues> right;  ///< op(A) (op(B) x) of each product of the batch
};

/// For inputs of small integers (Numbers::integers).
Identity make_identity(const HostProblem& given, std::uint64_t seed);

/// Rows of C, in order, that in some product of the batch are not vouched for as those of op(A) op(B).
/// `identity` belongs to `given`. R. Freivalds ("Probabilistic machines can use less running time", IFIP
/// Congress 1977): C x = A (B x) for a random vector x. All of it is integer arithmetic modulo 2^64, where a
/// right row fails never, and one with wrong elements passes with probability 2^-32 at most: x is uniform,
/// and the elements differ by less than 2^32. Rows with an integer that C's type may have rounded are always
/// among them.
std::vector<std::uint64_t> find_doubtful_rows(const HostProblem& given, const Identity& identity,
                                              std::span<const std::byte> c_after);

}  // namespace wgemm::verify
