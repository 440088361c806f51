#include "verify/trial.hpp"

#include <utility>

namespace wgemm::verify {

Trial::Trial(Context& context, PreparedPlan& prepared) : context_(&context), prepared_(&prepared) {
  const auto& problem = prepared.plan().problem;
  poisoned_ = make_poisoned(problem.c, problem.m, problem.n, largest_operand(context.profile().limits));
}

Result<HostMatrix> Trial::run(const Operands& operands) {
  if (auto done = upload(a_, operands.a); !done) return tl::unexpected(done.error());
  if (auto done = upload(b_, operands.b); !done) return tl::unexpected(done.error());
  if (auto done = upload(c_, poisoned_); !done) return tl::unexpected(done.error());
  if (auto done = context_->run(*prepared_, a_, b_, c_); !done) return tl::unexpected(done.error());
  auto result = poisoned_;
  if (auto done = context_->download(c_, 0, result.bytes); !done) return tl::unexpected(done.error());
  return result;
}

Result<void> Trial::upload(Buffer& buffer, const HostMatrix& matrix) {
  if (!buffer) {
    auto created = context_->create_buffer(matrix.bytes.size());
    if (!created) return tl::unexpected(created.error());
    buffer = std::move(*created);
  }
  return context_->upload(buffer, 0, matrix.bytes);
}

}  // namespace wgemm::verify
