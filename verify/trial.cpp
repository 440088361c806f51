#include "verify/trial.hpp"

#include <utility>

namespace wgemm::verify {

Result<std::vector<std::byte>> Trial::run(const HostProblem& given) {
  constexpr auto kC = static_cast<std::size_t>(BufferRole::c);
  auto result = given.buffers[kC];
  // Nothing to do, and nothing to bind.
  if (prepared_->plan().steps.empty()) return result;
  std::array<const Buffer*, kCallerBuffers> operands{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto& bytes = given.buffers.at(i);
    if (bytes.empty()) continue;
    auto& buffer = buffers_.at(i);
    if (buffer.size() != bytes.size()) {
      auto created = context_->create_buffer(bytes.size());
      if (!created) return tl::unexpected(created.error());
      buffer = std::move(*created);
    }
    if (auto done = context_->upload(buffer, 0, bytes); !done) return tl::unexpected(done.error());
    operands.at(i) = &buffer;
  }
  const auto& [a, b, c, bias, residual, scales, zeros] = operands;
  Operands bound{a, b, c, bias, residual, scales, zeros};
  PreparedOperand ready;
  if (prepare_b_) {
    auto made = context_->prepare_operand(given.problem, Matrix::b, bound, *prepare_b_);
    if (!made) return tl::unexpected(made.error());
    ready = std::move(*made);
    bound.b = &ready.buffer();
    bound.scales = bound.zeros = nullptr;
  }
  if (auto done = context_->run(*prepared_, bound); !done) return tl::unexpected(done.error());
  if (auto done = context_->download(buffers_[kC], 0, result); !done) return tl::unexpected(done.error());
  return result;
}

}  // namespace wgemm::verify
