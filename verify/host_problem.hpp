// A problem with the caller's memory, as a check prepares it: operands with poison between and behind their
// elements, and C as it is before the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wgemm/device_profile.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::verify {

struct HostProblem {
  Problem problem;
  /// By BufferRole (a, b, c, bias, residual, scales, zeros), each as the problem's layout describes it; empty
  /// where the problem has no such operand. A buffer may be longer than the problem needs: what lies behind
  /// the elements of C must not change.
  std::array<std::vector<std::byte>, kCallerBuffers> buffers;

  [[nodiscard]] std::span<const std::byte> operator[](BufferRole role) const {
    return buffers.at(static_cast<std::size_t>(role));
  }
  [[nodiscard]] std::vector<std::byte>& at(BufferRole role) {
    return buffers.at(static_cast<std::size_t>(role));
  }
};

/// Bytes of the margin behind an operand, and of the guard behind C.
constexpr std::uint64_t kMarginBytes = 1024;

/// Bytes of an operand of `bytes` with its margin, which shrinks where the whole would exceed `largest`.
std::uint64_t with_margin(std::uint64_t bytes, std::uint64_t largest);

/// Bytes of the largest operand that the device can hold and bind.
std::uint64_t largest_operand(const Limits& limits);

/// Quiet NaNs that no computation makes by itself: what C is filled with before a run, and what stands in
/// gaps and margins of all matrices. Integers have no such values; theirs is a number that shows.
constexpr std::uint32_t kPoisonF32 = 0x7fdecade;
constexpr std::uint16_t kPoisonF16 = 0x7ede;
constexpr std::uint8_t kPoisonByte = 0x6b;

/// Fills memory of elements of that type with poison.
void poison(DataType type, std::span<std::byte> memory);

/// The problem with every element and every gap poisoned; each buffer has a margin where that does not exceed
/// `largest_bytes`.
HostProblem make_poisoned(const Problem& problem, std::uint64_t largest_bytes);

}  // namespace wgemm::verify
