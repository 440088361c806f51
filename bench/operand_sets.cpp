#include "bench/operand_sets.hpp"

#include <algorithm>
#include <numeric>

#include "core/caller_buffers.hpp"
#include "verify/inputs.hpp"

namespace wgemm::bench {
namespace {

/// As large as the last cache of any GPU known to us (AMD's reach 256 MiB).
constexpr std::uint64_t kBeyondCaches = 256ULL << 20U;
constexpr std::uint64_t kMostSets = 512;

std::uint64_t sets_beyond_caches(std::uint64_t set_bytes) {
  const auto sets = (kBeyondCaches + set_bytes - 1) / std::max<std::uint64_t>(set_bytes, 1);
  return std::clamp<std::uint64_t>(sets, 1, kMostSets);
}

}  // namespace

Result<OperandSets> OperandSets::create(Context& context, const Problem& problem, std::uint64_t seed) {
  const auto bytes = caller_bytes(problem);
  const auto host =
      verify::make_inputs(problem, verify::Numbers::uniform, seed, context.profile().limits.max_buffer_size);
  Contents contents;
  for (std::size_t role = 0; role < contents.size(); ++role) {
    const bool is_read = role != static_cast<std::size_t>(BufferRole::c) || problem.beta != 0;
    // The host's buffers carry a margin behind them, for checks, that is no part of the operand.
    if (is_read) contents.at(role) = std::span(host.buffers.at(role)).first(bytes.at(role));
  }
  const auto set_bytes = std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
  return create(context, sets_beyond_caches(set_bytes), bytes, contents);
}

Result<OperandSets> OperandSets::create_empty(Context& context, const Problem& problem) {
  return create(context, 1, caller_bytes(problem), {});
}

Result<OperandSets> OperandSets::create(Context& context, std::uint64_t sets, const Bytes& bytes,
                                        const Contents& contents) {
  OperandSets result;
  result.buffers_.reserve(sets * bytes.size());
  for (std::uint64_t set = 0; set < sets; ++set) {
    std::array<const Buffer*, kCallerBuffers> given{};
    for (std::size_t role = 0; role < bytes.size(); ++role) {
      if (bytes.at(role) == 0) continue;
      auto buffer = context.create_buffer(bytes.at(role));
      if (!buffer) return tl::unexpected(buffer.error());
      if (!contents.at(role).empty()) {
        if (auto done = context.upload(*buffer, 0, contents.at(role)); !done) {
          return tl::unexpected(done.error());
        }
      }
      given.at(role) = &result.buffers_.emplace_back(std::move(*buffer));
    }
    const auto& [a, b, c, bias, residual, scales, zeros] = given;
    result.operands_.push_back({a, b, c, bias, residual, scales, zeros});
  }
  return result;
}

Result<PreparedSets> PreparedSets::create(Context& context, const Problem& problem,
                                          const PlanOptions& options, const OperandSets& sets) {
  PreparedSets result;
  result.prepared_.reserve(sets.operands().size());
  result.operands_.reserve(sets.operands().size());
  for (auto operands : sets.operands()) {
    auto prepared = context.prepare_operand(problem, Matrix::b, operands, options);
    if (!prepared) return tl::unexpected(prepared.error());
    operands.b = &result.prepared_.emplace_back(std::move(*prepared)).buffer();
    // What belongs to a quantised B is in it now.
    operands.scales = operands.zeros = nullptr;
    result.operands_.push_back(operands);
  }
  return result;
}

}  // namespace wgemm::bench
