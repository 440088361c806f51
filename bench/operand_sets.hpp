// Operands for timing: random, never zeros, in as many copies as it takes that no cache holds them all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::bench {

/// The buffers of one problem on a device, several times over.
class OperandSets {
 public:
  static Result<OperandSets> create(Context& context, const Problem& problem, std::uint64_t seed);
  /// One set, of zeros.
  static Result<OperandSets> create_empty(Context& context, const Problem& problem);

  // `operands_` points into `buffers_`, whose elements stay where they are when the vector moves.
  OperandSets(OperandSets&&) = default;
  OperandSets& operator=(OperandSets&&) = default;
  OperandSets(const OperandSets&) = delete;
  OperandSets& operator=(const OperandSets&) = delete;
  ~OperandSets() = default;

  [[nodiscard]] std::span<const Context::Operands> operands() const { return operands_; }

 private:
  using Bytes = std::array<std::uint64_t, kCallerBuffers>;
  /// By BufferRole; empty where the problem has no such operand or nothing is to be written there.
  using Contents = std::array<std::span<const std::byte>, kCallerBuffers>;

  OperandSets() = default;
  static Result<OperandSets> create(Context& context, std::uint64_t sets, const Bytes& bytes,
                                    const Contents& contents);

  std::vector<Buffer> buffers_;
  std::vector<Context::Operands> operands_;
};

/// The same operands with each B prepared for the plans of a problem.
class PreparedSets {
 public:
  /// `sets` outlive it. Errors: those of Context::prepare_operand.
  static Result<PreparedSets> create(Context& context, const Problem& problem, const PlanOptions& options,
                                     const OperandSets& sets);

  // `operands_` points into `prepared_`, whose elements stay where they are when the vector moves.
  PreparedSets(PreparedSets&&) = default;
  PreparedSets& operator=(PreparedSets&&) = default;
  PreparedSets(const PreparedSets&) = delete;
  PreparedSets& operator=(const PreparedSets&) = delete;
  ~PreparedSets() = default;

  [[nodiscard]] std::span<const Context::Operands> operands() const { return operands_; }

 private:
  PreparedSets() = default;

  std::vector<PreparedOperand> prepared_;
  std::vector<Context::Operands> operands_;
};

}  // namespace wgemm::bench
