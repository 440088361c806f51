#include "verify/host_problem.hpp"

#include <algorithm>

#include "core/caller_buffers.hpp"
#include "core/round_up.hpp"

namespace wgemm::verify {
namespace {

template <typename Word>
void fill(std::span<std::byte> memory, Word pattern) {
  auto* first = reinterpret_cast<Word*>(memory.data());
  std::fill_n(first, memory.size() / sizeof(Word), pattern);
}

}  // namespace

std::uint64_t with_margin(std::uint64_t bytes, std::uint64_t largest) {
  return std::max(bytes, std::min(bytes + kMarginBytes, largest / 4 * 4));
}

std::uint64_t largest_operand(const Limits& limits) {
  return std::min(limits.max_storage_buffer_binding_size, limits.max_buffer_size);
}

void poison(DataType type, std::span<std::byte> memory) {
  switch (bits_of(type)) {
    case 32:
      return fill(memory, kPoisonF32);
    case 16:
      return fill(memory, kPoisonF16);
    default:
      return fill(memory, kPoisonByte);
  }
}

HostProblem make_poisoned(const Problem& problem, std::uint64_t largest_bytes) {
  HostProblem made{problem, {}};
  const std::array<DataType, kCallerBuffers> types = {problem.a.type,
                                                      problem.b.type,
                                                      problem.c.type,
                                                      problem.epilogue.bias_type,
                                                      problem.epilogue.residual.type,
                                                      problem.quantization.scale_type,
                                                      problem.b.type};
  const auto needed = caller_bytes(problem);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed.at(i) == 0) continue;
    auto& buffer = made.buffers.at(i);
    buffer.resize(with_margin(round_up(needed.at(i), 4), largest_bytes));
    poison(types.at(i), buffer);
  }
  return made;
}

}  // namespace wgemm::verify
