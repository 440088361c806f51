#include "native/context/matrix_trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/kernels/kernel.hpp"
#include "native/context/context_impl.hpp"
#include "native/execute/run.hpp"

namespace wgemm::native {

namespace {

/// -3 to 3, as f16.
constexpr std::array<std::uint16_t, 7> kHalfs = {0xC200, 0xC000, 0xBC00, 0x0000, 0x3C00, 0x4000, 0x4200};

/// Sums of products of such numbers are exact in f32, in any order.
std::vector<std::byte> integers(std::uint64_t bytes, DataType type, std::uint32_t seed) {
  const std::size_t size = size_of(type);
  std::vector<std::byte> result(bytes);
  for (std::size_t i = 0; (i + 1) * size <= bytes; ++i) {
    const std::size_t drawn = ((i + seed) * 2654435761U >> 7U) % kHalfs.size();
    const float single = static_cast<float>(drawn) - 3;
    if (type == DataType::f16) {
      std::memcpy(result.data() + i * size, &kHalfs.at(drawn), size);
    } else {
      std::memcpy(result.data() + i * size, &single, size);
    }
  }
  return result;
}

/// C of a plan on these operands.
Result<std::vector<float>> product_of(Context::Impl& context, const Plan& plan, const Wait& wait) {
  auto prepared = PreparedPlanData::prepare({context.device, &context.pipelines, context.pool}, plan, wait);
  if (!prepared) {
    return tl::unexpected(prepared.error());
  }
  std::array<DeviceBuffer, 3> memory;
  OperandViews views;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const std::uint64_t bytes = plan.buffers[i].bytes;
    auto created = context.pool->create(context.device, bytes, kOperandUsage);
    if (!created) {
      return tl::unexpected(created.error());
    }
    memory.at(i) = std::move(*created);
    const DataType type = i == 0 ? plan.problem.a.type : i == 1 ? plan.problem.b.type : plan.problem.c.type;
    // C too: what nobody writes differs from the result.
    const auto content = integers(bytes, type, static_cast<std::uint32_t>(1 + 1000 * i));
    if (Result<void> copied = upload(memory.at(i), 0, content, wait); !copied) {
      return tl::unexpected(copied.error());
    }
    views.at(i) = &memory.at(i);
  }
  if (Result<void> ran = run_once(**prepared, views, wait); !ran) {
    return tl::unexpected(ran.error());
  }
  std::vector<float> c(plan.buffers[2].bytes / sizeof(float));
  if (Result<void> copied = download(*context.pool, memory[2], 0, std::as_writable_bytes(std::span(c)), wait);
      !copied) {
    return tl::unexpected(copied.error());
  }
  return c;
}

MatrixConfig config_of(const kernels::Kernel& kernel, DataType stored) {
  const auto value = [&](std::string_view name) {
    return static_cast<std::uint32_t>(kernels::value_of(kernel, name));
  };
  return {stored, DataType::f32, value("MM"), value("MN"), value("MK")};
}

/// Two blocks each way, so that it is the text that large products get where they are whole blocks, too.
Problem small_problem(const Problem& problem, const kernels::Geometry& geometry) {
  Problem small;
  small.m = std::uint64_t{2} * geometry.block_m;
  small.n = std::uint64_t{2} * geometry.block_n;
  small.k = std::uint64_t{3} * geometry.block_k;
  small.a = {problem.a.type, problem.a.order};
  small.b = {problem.b.type, problem.b.order};
  return small;
}

/// A driver that refuses the text says as much as one that gets it wrong; a lost device or a lack of memory
/// says nothing of it.
bool is_of_the_text(ErrorCode code) {
  return code == ErrorCode::compilation || code == ErrorCode::validation || code == ErrorCode::unsupported;
}

/// "" where the kernel is right. Errors: what says nothing of it, such as a plan for another device.
Result<std::string> fault_of(Context::Impl& context, const kernels::Kernel& kernel, const Problem& problem,
                             const Wait& wait) {
  const DeviceProfile& profile = context.device->profile();
  const auto geometry = kernels::check(kernel, profile, problem.a.type);
  if (!geometry) {
    return tl::unexpected(geometry.error());
  }
  const Problem small = small_problem(problem, *geometry);
  const PlanOptions units{.kernel = kernels::name(kernel), .split_k = 1};
  const PlanOptions naive{.kernel = "naive", .split_k = 1};
  const Result<Plan> plan = make_plan(small, profile, units, nullptr);
  const Result<Plan> reference = make_plan(small, profile, naive, nullptr);
  if (!plan || !reference) {
    return tl::unexpected(plan ? reference.error() : plan.error());
  }
  Result<std::string> fault = compare_on_integers(context, *plan, *reference, wait);
  if (!fault && is_of_the_text(fault.error().code)) {
    return fault.error().message;
  }
  return fault;
}

}  // namespace

Result<std::string> compare_on_integers(Context::Impl& context, const Plan& plan, const Plan& reference,
                                        const Wait& wait) {
  const Result<std::vector<float>> right = product_of(context, reference, wait);
  if (!right) {
    return tl::unexpected(right.error());
  }
  const Result<std::vector<float>> found = product_of(context, plan, wait);
  if (!found) {
    return tl::unexpected(found.error());
  }
  for (std::size_t i = 0; i < right->size(); ++i) {
    if ((*found)[i] != (*right)[i]) {
      return fmt::format("on {} of small integers element {} of C is {}, and {} by {}",
                         describe(plan.problem), i, (*found)[i], (*right)[i], reference.kernel);
    }
  }
  return std::string();
}

Result<void> trust_matrix_units(Context::Impl& context, const Plan& plan, const Wait& wait) {
  const bool units =
      std::ranges::any_of(plan.shaders, [](const Shader& shader) { return shader.needs_subgroup_matrix; });
  const Result<kernels::Kernel> kernel = kernels::parse(plan.kernel);
  // A plan that nobody of us made has its maker's word.
  if (!units || !kernel || !kernel->family->matrix_units) {
    return {};
  }
  const MatrixConfig config = config_of(*kernel, plan.problem.a.type);
  // One check at a time; who asks for the same waits for its verdict.
  const std::lock_guard lock(context.trust_mutex);
  auto& trusted = context.trusted_matrix_configs;
  if (std::ranges::find(trusted, config) != trusted.end()) {
    return {};
  }
  const Result<std::string> fault = fault_of(context, *kernel, plan.problem, wait);
  if (!fault) {
    return tl::unexpected(fault.error());
  }
  if (fault->empty()) {
    trusted.push_back(config);
    return {};
  }
  const std::string reason = fmt::format("the check of {} failed: {}", plan.kernel, *fault);
  context.device->deny(config, reason);
  if (context.options.log) {
    context.options.log(Severity::warning, fmt::format("{} is denied: {}", describe(config), reason));
  }
  return fail(
      ErrorCode::unsupported, std::string(kMatrixConfiguration),
      fmt::format("{} is denied on '{}': {}", describe(config), context.device->profile().name, reason));
}

}  // namespace wgemm::native
