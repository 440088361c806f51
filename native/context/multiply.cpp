// The product from host memory to host memory: plan, copy in, run, copy the elements out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "native/context/context_impl.hpp"
#include "native/stream/panels.hpp"
#include "native/stream/stream.hpp"

namespace wgemm {

namespace {

/// Prepared plans that a context keeps for products to come.
constexpr std::size_t kKeptProducts = 32;

/// Everything that a plan depends on beside the device.
std::string product_key(const Problem& problem, const PlanOptions& options) {
  const Epilogue& epilogue = problem.epilogue;
  std::string key = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", problem.m, problem.n, problem.k,
      options.kernel, static_cast<int>(options.edges), options.split_k, options.scratch_cap,
      options.max_dispatch_flops, problem.trans_a == Transpose::transpose,
      problem.trans_b == Transpose::transpose, problem.alpha, problem.beta, to_string(epilogue.bias),
      to_string(epilogue.bias_type), to_string(epilogue.activation), epilogue.lower, epilogue.upper,
      epilogue.add_residual, problem.batch.rank, problem.quantization.block,
      to_string(problem.quantization.scale_type), problem.quantization.zeros, to_string(problem.accumulate));
  for (const MatrixLayout* layout : {&problem.a, &problem.b, &problem.c, &epilogue.residual}) {
    key += fmt::format(" {} {} {} {}", to_string(layout->type), to_string(layout->order), layout->ld,
                       layout->offset);
  }
  const Batch& batch = problem.batch;
  if (batch.rank > 0) {
    key += fmt::format(" {} {} {} {} {}", batch.extents, batch.a, batch.b, batch.c, batch.residual);
  }
  for (const BatchOffsets& entry : batch.table) {
    key += fmt::format(" {} {} {} {}", entry.a, entry.b, entry.c, entry.residual);
  }
  return key;
}

/// What the host must give for each role of a plan's buffers, in bytes.
std::array<std::uint64_t, kCallerBuffers> bytes_needed(const Problem& problem) {
  return {buffer_bytes(problem, Matrix::a),
          buffer_bytes(problem, Matrix::b),
          buffer_bytes(problem, Matrix::c),
          size_of(problem.epilogue.bias_type, bias_length(problem)),
          buffer_bytes(problem, Matrix::residual),
          scales_bytes(problem),
          zeros_bytes(problem)};
}

/// Copies the elements of every C of the batch, so that what lies between them at the destination stays.
void copy_elements(const Problem& problem, const std::byte* from, std::byte* to) {
  const MatrixLayout& layout = problem.c;
  const bool by_row = layout.order == Order::row_major;
  const std::uint64_t element = size_of(layout.type);
  const std::uint64_t lines = by_row ? problem.m : problem.n;
  const std::uint64_t line_bytes = (by_row ? problem.n : problem.m) * element;
  const std::uint64_t ld_bytes = leading_dimension(problem, Matrix::c) * element;
  for (std::uint64_t product = 0; product < problem.batch.count(); ++product) {
    const std::uint64_t start = first_element(problem, Matrix::c, product);
    for (std::uint64_t line = 0; line < lines; ++line) {
      const std::uint64_t at = start * element + line * ld_bytes;
      std::memcpy(to + at, from + at, line_bytes);
    }
  }
}

}  // namespace

Result<void> Context::multiply(const Problem& problem, std::span<const std::byte> a,
                               std::span<const std::byte> b, std::span<std::byte> c,
                               const PlanOptions& options) {
  return multiply(problem, HostOperands{a, b, c, {}, {}, {}, {}}, options);
}

Result<void> Context::multiply(const Problem& problem, const HostOperands& operands,
                               const PlanOptions& options) {
  if (Result<void> valid = validate(problem); !valid) {
    return valid;
  }
  const auto needed = bytes_needed(problem);
  const std::array<std::span<const std::byte>, kCallerBuffers> given = {
      operands.a, operands.b, operands.c, operands.bias, operands.residual, operands.scales, operands.zeros};
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (given[i].size() < needed[i]) {
      const std::string name(to_string(static_cast<BufferRole>(i)));
      return fail(ErrorCode::invalid_argument, name,
                  fmt::format("{} has {} bytes; its layout needs {}", name, given[i].size(), needed[i]));
    }
  }
  if (const std::uint64_t cap = impl_->options.memory_cap;
      native::must_stream(problem, profile().limits, cap)) {
    return native::multiply_in_panels(*this, problem, operands, options, cap);
  }
  const std::string key = product_key(problem, options);
  auto& products = impl_->products;
  const auto found = std::ranges::find_if(products, [&](const auto& kept) { return kept.first == key; });
  if (found != products.end()) {
    std::rotate(found, found + 1, products.end());
  } else {
    Result<Plan> plan = make_plan(problem, profile(), options);
    if (!plan) {
      return tl::unexpected(plan.error());
    }
    Result<PreparedPlan> prepared = prepare(*plan);
    if (!prepared) {
      return tl::unexpected(prepared.error());
    }
    if (products.size() == kKeptProducts) {
      products.erase(products.begin());
    }
    products.emplace_back(key, std::move(*prepared));
  }
  PreparedPlan& prepared = products.back().second;
  if (prepared.plan().steps.empty()) {
    return {};
  }

  Operands device;
  const std::array<const Buffer**, kCallerBuffers> slots = {
      &device.a, &device.b, &device.c, &device.bias, &device.residual, &device.scales, &device.zeros};
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed[i] == 0) {
      continue;
    }
    Buffer& buffer = impl_->product_buffers[i];
    // A much larger one is not kept: its memory may be wanted elsewhere.
    if (buffer.size() < needed[i] || buffer.size() / 4 > needed[i]) {
      buffer = Buffer();
      Result<Buffer> made = create_buffer(needed[i]);
      if (!made) {
        return tl::unexpected(made.error());
      }
      buffer = std::move(*made);
    }
    *slots[i] = &buffer;
    const bool read = static_cast<BufferRole>(i) != BufferRole::c || problem.beta != 0;
    if (read) {
      if (Result<void> copied = upload(buffer, 0, given[i].first(needed[i])); !copied) {
        return copied;
      }
    }
  }
  if (Result<void> ran = run(prepared, device); !ran) {
    return ran;
  }
  std::vector<std::byte> result(needed[2]);
  if (Result<void> copied = download(*device.c, 0, result); !copied) {
    return copied;
  }
  copy_elements(problem, result.data(), operands.c.data());
  return {};
}

Result<std::vector<float>> Context::matmul(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                           std::span<const float> a, std::span<const float> b) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  if (Result<void> valid = validate(problem); !valid) {
    return tl::unexpected(valid.error());
  }
  std::vector<float> c(m * n);
  if (Result<void> done =
          multiply(problem, std::as_bytes(a), std::as_bytes(b), std::as_writable_bytes(std::span(c)));
      !done) {
    return tl::unexpected(done.error());
  }
  return c;
}

}  // namespace wgemm
