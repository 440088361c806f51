// A check of a whole product in O(n^2) operations, where comparing every element with a reference would take
// O(n^3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "verify/host_problem.hpp"

namespace wgemm::verify {

/// A row of C of one product of the batch.
struct RowOfProduct {
  std::uint64_t product = 0;
  std::uint64_t row = 0;
};

/// Whether the identity says anything of the problem: C is op(A) op(B) alone, without alpha, beta and
/// epilogue.
bool has_identity(const Problem& problem);

/// The first row of C, of any product, that is not op(A) op(B), for inputs of small integers
/// (Numbers::integers). R. Freivalds ("Probabilistic machines can use less running time", IFIP Congress
/// 1977): C x = A (B x) for a random vector x. All of it is integer arithmetic modulo 2^64, so a right C
/// fails never, and a row with wrong elements passes with probability 2^-32 at most: x is uniform, and the
/// elements differ by less than 2^32. Rows that hold an integer which C's type rounds are left out.
std::optional<RowOfProduct> find_wrong_row(const HostProblem& given, std::span<const std::byte> c_after,
                                           std::uint64_t seed);

}  // namespace wgemm::verify
