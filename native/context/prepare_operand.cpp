// Operands that are made ready once for many products.
#include <fmt/format.h>

#include <utility>

#include "native/context/context_impl.hpp"

namespace wgemm {

using native::Access;

namespace {

Result<SplitPlan> split_plan(const Problem& problem, Matrix matrix, const DeviceProfile& profile,
                             const PlanOptions& options) {
  if (matrix != Matrix::a && matrix != Matrix::b) {
    return fail(ErrorCode::invalid_argument, "matrix", "only A and B can be prepared");
  }
  return make_plan(problem, profile, options).map([&](const Plan& plan) {
    return split_operand(plan, matrix);
  });
}

const std::string& layout_of(const SplitPlan& split, Matrix matrix) {
  return split.use.buffers[matrix == Matrix::a ? 0 : 1].layout;
}

}  // namespace

Result<PreparedOperand> Context::prepare_operand(const Problem& problem, Matrix matrix, const Buffer& given,
                                                 const PlanOptions& options, const CallOptions& call) {
  Result<SplitPlan> split = split_plan(problem, matrix, profile(), options);
  if (!split) {
    return tl::unexpected(split.error());
  }
  if (Result<void> ours = impl_->check_buffer(matrix == Matrix::a ? "a" : "b", given); !ours) {
    return tl::unexpected(ours.error());
  }
  PreparedOperand operand;
  operand.matrix_ = matrix;
  if (split->prepare.steps.empty()) {
    operand.buffer_ = given;
    return operand;
  }
  Result<PreparedPlan> preparation = prepare(split->prepare, call);
  if (!preparation) {
    return tl::unexpected(preparation.error());
  }
  constexpr auto kC = static_cast<std::size_t>(BufferRole::c);
  Result<Buffer> prepared = create_buffer(split->prepare.buffers[kC].bytes);
  if (!prepared) {
    return tl::unexpected(prepared.error());
  }
  Operands operands;
  (matrix == Matrix::a ? operands.a : operands.b) = &given;
  operands.c = &*prepared;
  if (Result<void> ran = run(*preparation, operands, call); !ran) {
    return tl::unexpected(ran.error());
  }
  Access::set_layout(*prepared, layout_of(*split, matrix));
  operand.buffer_ = std::move(*prepared);
  return operand;
}

Result<PreparedOperand> Context::prepare_operand(const Problem& problem, Matrix matrix,
                                                 std::span<const std::byte> given, const PlanOptions& options,
                                                 const CallOptions& call) {
  if (Result<void> valid = validate(problem); !valid) {
    return tl::unexpected(valid.error());
  }
  const std::uint64_t needed = buffer_bytes(problem, matrix);
  if (given.size() < needed) {
    return fail(ErrorCode::invalid_argument, matrix == Matrix::a ? "a" : "b",
                fmt::format("the operand has {} bytes; its layout needs {}", given.size(), needed));
  }
  Result<Buffer> buffer = create_buffer(needed);
  if (!buffer) {
    return tl::unexpected(buffer.error());
  }
  if (Result<void> copied = upload(*buffer, 0, given.first(needed), call); !copied) {
    return tl::unexpected(copied.error());
  }
  return prepare_operand(problem, matrix, *buffer, options, call);
}

Result<PreparedPlan> Context::prepare(const Problem& problem, const PreparedOperand& operand,
                                      const PlanOptions& options, const CallOptions& call) {
  if (!operand.buffer_) {
    return fail(ErrorCode::invalid_argument, "operand", "the prepared operand is empty");
  }
  Result<SplitPlan> split = split_plan(problem, operand.matrix_, profile(), options);
  if (!split) {
    return tl::unexpected(split.error());
  }
  const std::string& wanted = layout_of(*split, operand.matrix_);
  const std::string& found = Access::layout(operand.buffer_);
  if (wanted != found) {
    const auto name = [](const std::string& layout) {
      return layout.empty() ? std::string("as it lies") : layout;
    };
    return fail(ErrorCode::invalid_argument, "operand",
                fmt::format("{} takes the operand of {} otherwise ({}) than it was prepared ({}); name the "
                            "kernel that it was prepared for",
                            split->use.kernel, describe(problem), name(wanted), name(found)));
  }
  return prepare(split->use, call);
}

}  // namespace wgemm
