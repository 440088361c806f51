#include "ladder/inputs.hpp"

#include <algorithm>

#include "verify/inputs.hpp"

namespace wgemm::ladder {
namespace {

/// As large as the last cache of any GPU known to us (AMD's reach 256 MiB).
constexpr std::uint64_t kBeyondCaches = 256ULL << 20U;
constexpr std::uint64_t kMostSets = 16;

}  // namespace

Result<OperandSets> OperandSets::create(Context& context, const Problem& problem, std::uint64_t seed) {
  const auto a_bytes = size_in_bytes(problem.a, problem.m, problem.k);
  const auto b_bytes = size_in_bytes(problem.b, problem.k, problem.n);
  const auto c_bytes = size_in_bytes(problem.c, problem.m, problem.n);
  const auto set_bytes = a_bytes + b_bytes + c_bytes;
  const auto sets = std::clamp<std::uint64_t>((kBeyondCaches + set_bytes - 1) / set_bytes, 1, kMostSets);

  const auto host =
      verify::make_inputs(problem, verify::Numbers::uniform, seed, context.profile().limits.max_buffer_size);
  OperandSets result;
  result.buffers_.reserve(3 * sets);
  for (std::uint64_t set = 0; set < sets; ++set) {
    for (const auto bytes : {a_bytes, b_bytes, c_bytes}) {
      auto buffer = context.create_buffer(bytes);
      if (!buffer) return tl::unexpected(buffer.error());
      result.buffers_.push_back(std::move(*buffer));
    }
    const auto* buffers = &result.buffers_[3 * set];
    // The host's buffers carry a margin behind them, for checks, that is no part of the operand.
    const auto a = host[BufferRole::a].first(a_bytes);
    const auto b = host[BufferRole::b].first(b_bytes);
    if (auto done = context.upload(buffers[0], 0, a); !done) return tl::unexpected(done.error());
    if (auto done = context.upload(buffers[1], 0, b); !done) return tl::unexpected(done.error());
    result.operands_.push_back({&buffers[0], &buffers[1], &buffers[2]});
  }
  return result;
}

}  // namespace wgemm::ladder
