// Operands for timing: random, never zeros, in as many copies as it takes that no cache holds them all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::ladder {

/// A, B and C of one problem on a device, several times over.
class OperandSets {
 public:
  static Result<OperandSets> create(Context& context, const Problem& problem, std::uint64_t seed);

  // `operands_` points into `buffers_`, whose elements stay where they are when the vector moves.
  OperandSets(OperandSets&&) = default;
  OperandSets& operator=(OperandSets&&) = default;
  OperandSets(const OperandSets&) = delete;
  OperandSets& operator=(const OperandSets&) = delete;
  ~OperandSets() = default;

  [[nodiscard]] std::span<const Context::Operands> operands() const { return operands_; }

 private:
  OperandSets() = default;

  std::vector<Buffer> buffers_;
  std::vector<Context::Operands> operands_;
};

}  // namespace wgemm::ladder
