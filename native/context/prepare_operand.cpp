// Operands that are made ready once for many products.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/caller_buffers.hpp"
#include "native/context/context_impl.hpp"

namespace wgemm {

using native::Access;

namespace {

bool is_quantised(const Problem& problem, Matrix matrix) {
  return matrix == Matrix::b && problem.quantization.block != 0;
}

Result<void> check_matrix(Matrix matrix) {
  if (matrix != Matrix::a && matrix != Matrix::b) {
    return fail(ErrorCode::invalid_argument, "matrix", "only A and B can be prepared");
  }
  return {};
}

BufferRole role_of(Matrix matrix) { return matrix == Matrix::a ? BufferRole::a : BufferRole::b; }

bool binds(const Plan& plan, BufferRole role) {
  return std::ranges::any_of(plan.steps, [&](const Step& step) {
    return std::ranges::any_of(step.bindings,
                               [&](const Binding& each) { return plan.buffers[each.buffer].role == role; });
  });
}

Result<SplitPlan> split_plan(const Problem& problem, Matrix matrix, Context::Impl& context,
                             PlanOptions options, const native::Wait& wait) {
  options.dequantise = options.dequantise || is_quantised(problem, matrix);
  const Result<Plan> plan = context.plan(problem, options, wait);
  if (!plan) {
    return tl::unexpected(plan.error());
  }
  SplitPlan split = split_operand(*plan, matrix);
  if (is_quantised(problem, matrix) && split.prepare.steps.empty() && binds(*plan, role_of(matrix))) {
    return fail(
        ErrorCode::unsupported, "matrix",
        fmt::format("B of {} as numbers is larger than the {} bytes that are bound or allowed at once: "
                    "it is turned into numbers piece by piece, in every run",
                    describe(problem), context.device->profile().limits.max_storage_buffer_binding_size));
  }
  return split;
}

const std::string& layout_of(const SplitPlan& split, Matrix matrix) {
  return split.use.buffers[static_cast<std::size_t>(role_of(matrix))].layout;
}

/// Scales or zero points that the problem does not have are refused, as by every call.
Result<void> check_quantisation(const Problem& problem, bool scales, bool zeros) {
  std::array<bool, kCallerBuffers> present{};
  present.at(static_cast<std::size_t>(BufferRole::scales)) = scales;
  present.at(static_cast<std::size_t>(BufferRole::zeros)) = zeros;
  return check_given(problem, present);
}

/// A buffer of the device with what a part of an operand needs of the bytes given.
Result<Buffer> uploaded(Context& context, BufferRole role, std::span<const std::byte> given,
                        std::uint64_t needed, const CallOptions& call) {
  if (given.size() < needed) {
    const std::string name(to_string(role));
    return fail(ErrorCode::invalid_argument, name,
                fmt::format("{} has {} bytes; its layout needs {}", name, given.size(), needed));
  }
  Result<Buffer> buffer = context.create_buffer(needed);
  if (!buffer || needed == 0) {
    return buffer;
  }
  if (Result<void> copied = context.upload(*buffer, 0, given.first(needed), call); !copied) {
    return tl::unexpected(copied.error());
  }
  return buffer;
}

}  // namespace

Result<PreparedOperand> Context::prepare_operand(const Problem& problem, Matrix matrix, const Operands& given,
                                                 const PlanOptions& options, const CallOptions& call) {
  Result<SplitPlan> split =
      check_matrix(matrix)
          .and_then(
              [&] { return check_quantisation(problem, given.scales != nullptr, given.zeros != nullptr); })
          .and_then([&] { return split_plan(problem, matrix, *impl_, options, native::Wait(call)); });
  if (!split) {
    return tl::unexpected(split.error());
  }
  const Buffer* const source = matrix == Matrix::a ? given.a : given.b;
  const std::string_view name = to_string(role_of(matrix));
  if (source == nullptr) {
    return fail(ErrorCode::invalid_argument, std::string(name),
                fmt::format("{} is missing from the operands", name));
  }
  if (Result<void> ours = impl_->check_buffer(name, *source); !ours) {
    return tl::unexpected(ours.error());
  }
  PreparedOperand operand;
  operand.matrix_ = matrix;
  if (split->prepare.steps.empty()) {
    operand.buffer_ = *source;
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
  (matrix == Matrix::a ? operands.a : operands.b) = source;
  operands.c = &*prepared;
  if (is_quantised(problem, matrix)) {
    operands.scales = given.scales;
    operands.zeros = given.zeros;
  }
  if (Result<void> ran = run(*preparation, operands, call); !ran) {
    return tl::unexpected(ran.error());
  }
  Access::set_layout(*prepared, layout_of(*split, matrix));
  operand.buffer_ = std::move(*prepared);
  return operand;
}

Result<PreparedOperand> Context::prepare_operand(const Problem& problem, Matrix matrix,
                                                 const HostOperands& given, const PlanOptions& options,
                                                 const CallOptions& call) {
  const Result<void> valid = validate(problem).and_then([&] { return check_matrix(matrix); }).and_then([&] {
    return check_quantisation(problem, !given.scales.empty(), !given.zeros.empty());
  });
  if (!valid) {
    return tl::unexpected(valid.error());
  }
  struct Part {
    BufferRole role;
    std::span<const std::byte> bytes;
    const Buffer*& operand;
  };
  Operands operands;
  std::vector<Part> parts;
  parts.reserve(3);
  parts.push_back(matrix == Matrix::a ? Part{BufferRole::a, given.a, operands.a}
                                      : Part{BufferRole::b, given.b, operands.b});
  if (is_quantised(problem, matrix)) {
    parts.push_back({BufferRole::scales, given.scales, operands.scales});
    if (problem.quantization.zeros) {
      parts.push_back({BufferRole::zeros, given.zeros, operands.zeros});
    }
  }
  const auto needed = caller_bytes(problem);
  std::array<Buffer, kCallerBuffers> held;
  for (const auto& [role, bytes, operand] : parts) {
    const auto index = static_cast<std::size_t>(role);
    Result<Buffer> buffer = uploaded(*this, role, bytes, needed.at(index), call);
    if (!buffer) {
      return tl::unexpected(buffer.error());
    }
    held.at(index) = *std::move(buffer);
    operand = &held.at(index);
  }
  return prepare_operand(problem, matrix, operands, options, call);
}

Result<PreparedOperand> Context::prepare_operand(const Problem& problem, Matrix matrix, const Buffer& given,
                                                 const PlanOptions& options, const CallOptions& call) {
  Operands operands;
  (matrix == Matrix::a ? operands.a : operands.b) = &given;
  return prepare_operand(problem, matrix, operands, options, call);
}

Result<PreparedOperand> Context::prepare_operand(const Problem& problem, Matrix matrix,
                                                 std::span<const std::byte> given, const PlanOptions& options,
                                                 const CallOptions& call) {
  HostOperands operands;
  (matrix == Matrix::a ? operands.a : operands.b) = given;
  return prepare_operand(problem, matrix, operands, options, call);
}

Result<PreparedPlan> Context::prepare(const Problem& problem, const PreparedOperand& operand,
                                      const PlanOptions& options, const CallOptions& call) {
  if (!operand.buffer_) {
    return fail(ErrorCode::invalid_argument, "operand", "the prepared operand is empty");
  }
  Result<SplitPlan> split = split_plan(problem, operand.matrix_, *impl_, options, native::Wait(call));
  if (!split) {
    return tl::unexpected(split.error());
  }
  const std::string& wanted = layout_of(*split, operand.matrix_);
  const std::string& found = Access::layout(operand.buffer_);
  if (wanted != found) {
    const auto name = [](const std::string& layout) {
      return layout.empty() ? std::string("as it lies") : layout;
    };
    return fail(
        ErrorCode::invalid_argument, "operand",
        fmt::format("{} takes the operand of {} otherwise ({}) than it was prepared ({}); prepare it for "
                    "these sizes, or name the kernel that it was prepared for",
                    split->use.kernel, describe(problem), name(wanted), name(found)));
  }
  return prepare(split->use, call);
}

}  // namespace wgemm
