// The product from host memory to host memory: plan, copy in, run, copy the elements out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "native/context/context_impl.hpp"

namespace wgemm {

namespace {

/// Prepared plans that a context keeps for products to come.
constexpr std::size_t kKeptProducts = 32;

/// Everything that a plan depends on beside the device.
std::string product_key(const Problem& problem, const PlanOptions& options) {
  std::string key = fmt::format("{} {} {} {} {}", problem.m, problem.n, problem.k, options.kernel,
                                static_cast<int>(options.edges));
  for (const MatrixLayout* layout : {&problem.a, &problem.b, &problem.c}) {
    key += fmt::format(" {} {} {}", to_string(layout->type), to_string(layout->order), layout->ld);
  }
  return key;
}

Result<void> check_length(std::string_view name, std::uint64_t given, std::uint64_t needed) {
  if (given < needed) {
    return fail(ErrorCode::invalid_argument, std::string(name),
                fmt::format("{} has {} bytes; its layout needs {}", name, given, needed));
  }
  return {};
}

bool is_tight(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols) {
  return leading_dimension(layout, rows, cols) == (layout.order == Order::row_major ? cols : rows);
}

/// Copies rows or columns, so that what lies between them at the destination stays.
void copy_elements(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols, const std::byte* from,
                   std::byte* to) {
  const bool by_row = layout.order == Order::row_major;
  const std::uint64_t lines = by_row ? rows : cols;
  const std::uint64_t line_bytes = (by_row ? cols : rows) * size_of(layout.type);
  const std::uint64_t stride = leading_dimension(layout, rows, cols) * size_of(layout.type);
  for (std::uint64_t line = 0; line < lines; ++line) {
    std::memcpy(to + line * stride, from + line * stride, line_bytes);
  }
}

}  // namespace

Result<void> Context::multiply(const Problem& problem, std::span<const std::byte> a,
                               std::span<const std::byte> b, std::span<std::byte> c,
                               const PlanOptions& options) {
  if (Result<void> valid = validate(problem); !valid) {
    return valid;
  }
  std::array<std::uint64_t, 3> sizes = {size_in_bytes(problem.a, problem.m, problem.k),
                                        size_in_bytes(problem.b, problem.k, problem.n),
                                        size_in_bytes(problem.c, problem.m, problem.n)};
  const std::array<std::uint64_t, 3> given = {a.size(), b.size(), c.size()};
  constexpr std::array<std::string_view, 3> kNames = {"a", "b", "c"};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (Result<void> enough = check_length(kNames[i], given[i], sizes[i]); !enough) {
      return enough;
    }
  }
  a = a.first(sizes[0]);
  b = b.first(sizes[1]);
  c = c.first(sizes[2]);
  const std::string key = product_key(problem, options);
  auto& products = impl_->products;
  const auto found = std::ranges::find(products, key, &std::pair<std::string, PreparedPlan>::first);
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

  for (const PlanBuffer& buffer : prepared.plan().buffers) {
    if (buffer.role != BufferRole::scratch) {
      std::uint64_t& size = sizes[static_cast<std::size_t>(buffer.role)];
      size = std::max(size, buffer.bytes);
    }
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Buffer& buffer = impl_->product_buffers[i];
    // A much larger one is not kept: its memory may be wanted elsewhere.
    if (buffer.size() < sizes[i] || buffer.size() / 4 > sizes[i]) {
      buffer = Buffer();
      Result<Buffer> made = create_buffer(sizes[i]);
      if (!made) {
        return tl::unexpected(made.error());
      }
      buffer = std::move(*made);
    }
  }
  auto& [device_a, device_b, device_c] = impl_->product_buffers;
  if (Result<void> copied = upload(device_a, 0, a); !copied) {
    return copied;
  }
  if (Result<void> copied = upload(device_b, 0, b); !copied) {
    return copied;
  }
  if (Result<void> ran = run(prepared, device_a, device_b, device_c); !ran) {
    return ran;
  }
  if (is_tight(problem.c, problem.m, problem.n)) {
    return download(device_c, 0, c);
  }
  std::vector<std::byte> result(c.size());
  if (Result<void> copied = download(device_c, 0, result); !copied) {
    return copied;
  }
  copy_elements(problem.c, problem.m, problem.n, result.data(), c.data());
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
