// Operands that are made ready once for many products.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

std::uint32_t buffer_of(Matrix matrix) {
  return static_cast<std::uint32_t>(matrix == Matrix::a ? BufferRole::a : BufferRole::b);
}

bool binds(const Plan& plan, std::uint32_t buffer) {
  return std::ranges::any_of(plan.steps, [&](const Step& step) {
    return std::ranges::any_of(step.bindings, [&](const Binding& each) { return each.buffer == buffer; });
  });
}

Result<SplitPlan> split_plan(const Problem& problem, Matrix matrix, const DeviceProfile& profile,
                             PlanOptions options) {
  options.dequantise = options.dequantise || is_quantised(problem, matrix);
  const Result<Plan> plan = make_plan(problem, profile, options);
  if (!plan) {
    return tl::unexpected(plan.error());
  }
  SplitPlan split = split_operand(*plan, matrix);
  if (is_quantised(problem, matrix) && split.prepare.steps.empty() && binds(*plan, buffer_of(matrix))) {
    return fail(
        ErrorCode::unsupported, "matrix",
        fmt::format("B of {} as numbers is larger than the {} bytes that are bound or allowed at once: "
                    "it is turned into numbers piece by piece, in every run",
                    describe(problem), profile.limits.max_storage_buffer_binding_size));
  }
  return split;
}

const std::string& layout_of(const SplitPlan& split, Matrix matrix) {
  return split.use.buffers[buffer_of(matrix)].layout;
}

/// A buffer of the device with the bytes of an operand, where there is one.
Result<Buffer> uploaded(Context& context, std::string_view name, std::span<const std::byte> given,
                        std::uint64_t needed, const CallOptions& call) {
  if (given.size() < needed) {
    return fail(ErrorCode::invalid_argument, std::string(name),
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
      check_matrix(matrix).and_then([&] { return split_plan(problem, matrix, profile(), options); });
  if (!split) {
    return tl::unexpected(split.error());
  }
  const Buffer* const source = matrix == Matrix::a ? given.a : given.b;
  PreparedOperand operand;
  operand.matrix_ = matrix;
  if (split->prepare.steps.empty()) {
    if (source == nullptr) {
      return fail(ErrorCode::invalid_argument, matrix == Matrix::a ? "a" : "b", "the operand is missing");
    }
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
  operands.scales = given.scales;
  operands.zeros = given.zeros;
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
  if (Result<void> valid = validate(problem).and_then([&] { return check_matrix(matrix); }); !valid) {
    return tl::unexpected(valid.error());
  }
  const bool of_a = matrix == Matrix::a;
  const bool quantised = is_quantised(problem, matrix);
  Result<Buffer> source =
      uploaded(*this, of_a ? "a" : "b", of_a ? given.a : given.b, buffer_bytes(problem, matrix), call);
  Result<Buffer> scales = source.and_then([&](const Buffer&) {
    return uploaded(*this, "scales", given.scales, quantised ? scales_bytes(problem) : 0, call);
  });
  Result<Buffer> zeros = scales.and_then([&](const Buffer&) {
    return uploaded(*this, "zeros", given.zeros, quantised ? zeros_bytes(problem) : 0, call);
  });
  if (!zeros) {
    return tl::unexpected(zeros.error());
  }
  Operands operands;
  (of_a ? operands.a : operands.b) = &*source;
  operands.scales = &*scales;
  operands.zeros = &*zeros;
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
