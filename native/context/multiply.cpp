// The product from host memory to host memory: plan, copy in, run, copy the elements out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "core/caller_buffers.hpp"
#include "core/streaming/panels.hpp"
#include "native/context/context_impl.hpp"
#include "native/context/host_memory.hpp"
#include "native/execute/run.hpp"
#include "native/stream/stream.hpp"

namespace wgemm {

namespace {

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

/// Copies the operands in, runs, and copies the elements of C out, through memory of the pool.
Result<void> multiply_on_device(native::BufferPool& pool, native::PreparedPlanData& prepared,
                                const std::array<std::span<const std::byte>, kCallerBuffers>& given,
                                std::span<std::byte> c, const native::Wait& wait) {
  const Problem& problem = prepared.plan().problem;
  const auto needed = caller_bytes(problem);
  constexpr auto kC = static_cast<std::size_t>(BufferRole::c);
  std::array<native::PooledBuffer, kCallerBuffers> memory;
  native::OperandViews views;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed[i] == 0) {
      continue;
    }
    auto taken = pool.take(prepared.device(), needed[i], native::kOperandUsage);
    if (!taken) {
      return tl::unexpected(taken.error());
    }
    memory[i] = std::move(*taken);
    views[i] = &memory[i].get();
    if (i != kC || problem.beta != 0) {
      if (Result<void> copied = native::upload(memory[i].get(), 0, given[i].first(needed[i]), wait);
          !copied) {
        return copied;
      }
    }
  }
  if (Result<void> ran = native::run_once(prepared, views, wait); !ran) {
    return ran;
  }
  Result<std::vector<std::byte>> result = native::allocate<std::byte>(needed[kC]);
  if (!result) {
    return tl::unexpected(result.error());
  }
  if (Result<void> copied = native::download(pool, memory[kC].get(), 0, *result, wait); !copied) {
    return copied;
  }
  copy_elements(problem, result->data(), c.data());
  return {};
}

/// Whether C lies in the memory of an input, as far as each of them is touched.
bool shares_memory_with_c(const Problem& problem,
                          std::array<std::span<const std::byte>, kCallerBuffers> given) {
  constexpr auto kC = static_cast<std::size_t>(BufferRole::c);
  const auto needed = caller_bytes(problem);
  for (std::size_t i = 0; i < given.size(); ++i) {
    given.at(i) = given.at(i).first(needed.at(i));
  }
  for (const auto& [matrix, role] :
       {std::pair(Matrix::a, BufferRole::a), std::pair(Matrix::b, BufferRole::b),
        std::pair(Matrix::c, BufferRole::c), std::pair(Matrix::residual, BufferRole::residual)}) {
    auto& bytes = given.at(static_cast<std::size_t>(role));
    const MatrixLayout& layout = layout_of(problem, matrix);
    if (!bytes.empty()) {
      bytes = bytes.subspan(layout.offset * bits_of(layout.type) / 8);
    }
  }
  const auto c = std::exchange(given[kC], {});
  const std::less<> before;
  return !c.empty() && std::ranges::any_of(given, [&](const auto& input) {
    return !input.empty() && before(input.data(), c.data() + c.size()) &&
           before(c.data(), input.data() + input.size());
  });
}

}  // namespace

Result<void> Context::Impl::multiply(const Problem& problem, const HostOperands& operands,
                                     const PlanOptions& plan_options, const native::Wait& wait) {
  if (Result<void> valid = validate(problem); !valid) {
    return valid;
  }
  const auto needed = caller_bytes(problem);
  const std::array<std::span<const std::byte>, kCallerBuffers> given = {
      operands.a, operands.b, operands.c, operands.bias, operands.residual, operands.scales, operands.zeros};
  std::array<bool, kCallerBuffers> present{};
  std::ranges::transform(given, present.begin(), [](const auto& bytes) { return !bytes.empty(); });
  if (Result<void> right = check_given(problem, present); !right) {
    return right;
  }
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (given[i].size() < needed[i]) {
      const std::string name(to_string(static_cast<BufferRole>(i)));
      return fail(ErrorCode::invalid_argument, name,
                  fmt::format("{} has {} bytes; its layout needs {}", name, given[i].size(), needed[i]));
    }
  }
  if (must_stream(problem, device->profile().limits, options.memory_cap)) {
    if (!shares_memory_with_c(problem, given)) {
      return native::multiply_in_panels(*this, problem, operands, plan_options, wait);
    }
    // Panels are written while the inputs are still read.
    constexpr auto kC = static_cast<std::size_t>(BufferRole::c);
    Result<std::vector<std::byte>> result = native::allocate<std::byte>(needed[kC]);
    if (!result) {
      return tl::unexpected(result.error());
    }
    if (problem.beta != 0) {
      std::ranges::copy(operands.c.first(needed[kC]), result->begin());
    }
    HostOperands apart = operands;
    apart.c = *result;
    Result<void> done = native::multiply_in_panels(*this, problem, apart, plan_options, wait);
    if (done) {
      copy_elements(problem, result->data(), operands.c.data());
    }
    return done;
  }
  Result<PreparedPlan> prepared = prepare(problem, plan_options, wait);
  if (!prepared) {
    return tl::unexpected(prepared.error());
  }
  if (prepared->plan().steps.empty()) {
    return {};
  }
  Result<void> done = multiply_on_device(*pool, native::Access::data(*prepared), given, operands.c, wait);
  if (!done) {
    return tl::unexpected(native::about(std::move(done.error()), prepared->plan()));
  }
  return done;
}

Result<void> Context::multiply(const Problem& problem, std::span<const std::byte> a,
                               std::span<const std::byte> b, std::span<std::byte> c,
                               const PlanOptions& options) {
  return multiply(problem, HostOperands{a, b, c, {}, {}, {}, {}}, options);
}

Result<void> Context::multiply(const Problem& problem, const HostOperands& operands,
                               const PlanOptions& options, const CallOptions& call) {
  return impl_->multiply(problem, operands, options, native::Wait(call));
}

Result<std::vector<float>> Context::matmul(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                           std::span<const float> a, std::span<const float> b,
                                           const CallOptions& call) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  if (Result<void> valid = validate(problem); !valid) {
    return tl::unexpected(valid.error());
  }
  Result<std::vector<float>> c = native::allocate<float>(m * n);
  if (!c) {
    return c;
  }
  if (Result<void> done = multiply(
          problem,
          {std::as_bytes(a), std::as_bytes(b), std::as_writable_bytes(std::span(*c)), {}, {}, {}, {}}, {},
          call);
      !done) {
    return tl::unexpected(done.error());
  }
  return c;
}

}  // namespace wgemm
