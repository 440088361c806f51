// From a problem to a plan: choose a kernel, place its operands, emit its text, cover the grid.
#include "wgemm/planner.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/kernels/kernel.hpp"
#include "core/planning/choice.hpp"
#include "core/planning/dispatch.hpp"
#include "core/planning/emit.hpp"
#include "core/planning/operand.hpp"
#include "core/planning/pack.hpp"

namespace wgemm {
namespace {

using kernels::Geometry;
using kernels::Kernel;
using planning::Operand;

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::uint64_t words(std::uint64_t bytes) { return round_up(bytes, 4); }

/// The three operands of a product whose C is row-major.
struct Product {
  Operand a;
  Operand b;
  Operand c;
};

/// A column-major C is the row-major C of the transposed product: C^T = B^T A^T.
Product row_major_product(const Problem& problem) {
  auto a = planning::make_operand(problem.a, problem.m, problem.k, 0);
  auto b = planning::make_operand(problem.b, problem.k, problem.n, 1);
  auto c = planning::make_operand(problem.c, problem.m, problem.n, 2);
  if (c.row_major) return {a, b, c};
  return {planning::transposed(b), planning::transposed(a), planning::transposed(c)};
}

class Builder {
 public:
  Builder(const Problem& problem, const DeviceProfile& profile, Kernel kernel, const Geometry& geometry)
      : profile_(profile),
        kernel_(std::move(kernel)),
        geometry_(geometry),
        product_(row_major_product(problem)) {
    plan_.kernel = kernels::name(kernel_);
    plan_.problem = problem;
    plan_.buffers = {
        {BufferRole::a, words(size_in_bytes(problem.a, problem.m, problem.k))},
        {BufferRole::b, words(size_in_bytes(problem.b, problem.k, problem.n))},
        {BufferRole::c, words(size_in_bytes(problem.c, problem.m, problem.n))},
    };
  }

  Result<Plan> build(EdgePolicy edges) {
    const auto target = product_.c;
    if (auto done = place_operands(edges); !done) return tl::unexpected(done.error());
    if (auto done = check_buffers(); !done) return tl::unexpected(done.error());
    if (auto done = append_multiply(); !done) return tl::unexpected(done.error());
    if (product_.c.buffer != target.buffer) {
      if (auto done = planning::append_copy(plan_, StepKind::crop, product_.c, target, profile_); !done) {
        return tl::unexpected(done.error());
      }
    }
    count_traffic();
    return std::move(plan_);
  }

 private:
  std::uint32_t add_scratch(const Operand& operand) {
    plan_.buffers.push_back({BufferRole::scratch, words(planning::size_in_bytes(operand))});
    return static_cast<std::uint32_t>(plan_.buffers.size() - 1);
  }

  /// Copies an operand into scratch of rows x cols in the given order, unless it already is that and its rows
  /// lie as the kernel needs them.
  Result<void> repack(Operand& operand, std::uint64_t rows, std::uint64_t cols, bool row_major,
                      bool aligned) {
    if (aligned && operand.rows == rows && operand.cols == cols && operand.row_major == row_major) return {};
    Operand packed{rows, cols, operand.type, row_major, row_major ? cols : rows, 0};
    packed.buffer = add_scratch(packed);
    const auto kind = operand.row_major == row_major ? StepKind::pad : StepKind::transpose;
    auto done = planning::append_copy(plan_, kind, operand, packed, profile_);
    operand = packed;
    return done;
  }

  Result<void> place_operands(EdgePolicy edges) {
    auto& [a, b, c] = product_;
    const bool along_k = kernel_.family->access == kernels::Access::vectors_along_k;
    auto m = a.rows;
    auto n = b.cols;
    auto k = a.cols;
    if (edges == EdgePolicy::padded) {
      m = round_up(m, geometry_.block_m);
      n = round_up(n, geometry_.block_n);
      k = round_up(k, geometry_.block_k);
    }
    // Vectors along k: whole vectors of 4, which zeros fill up at the end.
    const auto packed_k = along_k ? round_up(k, 4) : k;
    const bool a_ready = !along_k || (a.row_major && planning::vector_width(a) == 4);
    const bool b_ready = !along_k || (!b.row_major && planning::vector_width(b) == 4);
    if (auto done = repack(a, m, a_ready ? k : packed_k, along_k || a.row_major, a_ready); !done) return done;
    if (auto done = repack(b, b_ready ? k : packed_k, n, along_k ? false : b.row_major, b_ready); !done)
      return done;
    if (m != c.rows || n != c.cols) {
      c = Operand{m, n, c.type, true, n, 0};
      c.buffer = add_scratch(c);
    }
    return {};
  }

  Result<void> check_buffers() const {
    const auto limit =
        std::min(profile_.limits.max_storage_buffer_binding_size, profile_.limits.max_buffer_size);
    for (const auto& buffer : plan_.buffers) {
      if (buffer.bytes <= limit) continue;
      return fail(ErrorCode::unsupported, "maxStorageBufferBindingSize",
                  describe(plan_.problem) + " needs a buffer of " + std::to_string(buffer.bytes) +
                      " bytes (" + std::string(to_string(buffer.role)) + "); the device binds at most " +
                      std::to_string(limit));
    }
    return {};
  }

  Result<void> append_multiply() {
    const auto& [a, b, c] = product_;
    planning::Variant variant;
    variant.a_k_contiguous = a.row_major;
    variant.b_k_contiguous = !b.row_major;
    variant.type = a.type;
    variant.c_type = c.type;
    if (kernel_.family->access != kernels::Access::elements) {
      variant.a_width = planning::vector_width(a);
      variant.b_width = planning::vector_width(b);
      if (kernel_.family->access == kernels::Access::vectors) variant.c_width = planning::vector_width(c);
    }
    variant.bounds =
        c.rows % geometry_.block_m != 0 || c.cols % geometry_.block_n != 0 || a.cols % geometry_.block_k != 0;
    auto shader = planning::emit_shader(kernel_, geometry_, variant, profile_);
    if (!shader) return tl::unexpected(shader.error());

    Step step;
    step.kind = StepKind::multiply;
    step.shader = static_cast<std::uint32_t>(plan_.shaders.size());
    step.bindings = {{0, a.buffer, false}, {1, b.buffer, false}, {2, c.buffer, true}};
    step.uniform_binding = 3;
    const auto word = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    const std::vector<std::uint32_t> uniforms{
        word(c.rows), word(c.cols), word(a.cols), word(a.ld), word(b.ld), word(c.ld), 0, 0};
    auto groups_x = (c.cols + geometry_.block_n - 1) / geometry_.block_n;
    auto groups_y = (c.rows + geometry_.block_m - 1) / geometry_.block_m;
    if (kernel_.family->grid == kernels::Grid::rows_along_x) std::swap(groups_x, groups_y);
    const std::uint64_t limit = profile_.limits.max_compute_workgroups_per_dimension;
    step.dispatches = planning::cover_grid(groups_x, groups_y, limit, limit, uniforms);
    plan_.shaders.push_back(std::move(*shader));
    plan_.steps.push_back(std::move(step));
    return {};
  }

  void count_traffic() {
    const auto& [a, b, c] = product_;
    const auto rounded = [](std::uint64_t value, std::uint32_t block) {
      return static_cast<double>(round_up(value, block));
    };
    const double m = rounded(c.rows, geometry_.block_m);
    const double n = rounded(c.cols, geometry_.block_n);
    const double k = rounded(a.cols, geometry_.block_k);
    const auto element = static_cast<double>(size_of(a.type));
    const auto& problem = plan_.problem;
    plan_.traffic.flops = problem.flops();
    plan_.traffic.global_bytes = element * m * n * k * (1.0 / geometry_.reuse_n + 1.0 / geometry_.reuse_m) +
                                 static_cast<double>(size_of(c.type) * c.rows * c.cols);
    plan_.traffic.compulsory_bytes =
        static_cast<double>(size_of(problem.a.type) * (problem.m * problem.k + problem.k * problem.n)) +
        static_cast<double>(size_of(problem.c.type) * problem.m * problem.n);
  }

  const DeviceProfile& profile_;
  Kernel kernel_;
  Geometry geometry_;
  Product product_;
  Plan plan_;
};

}  // namespace

Result<Plan> make_plan(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options) {
  if (auto done = validate(problem); !done) return tl::unexpected(done.error());
  auto kernel = options.kernel.empty() ? planning::choose(problem, profile) : kernels::parse(options.kernel);
  if (!kernel) return tl::unexpected(kernel.error());
  const auto geometry = kernels::check(*kernel, profile, problem.a.type);
  if (!geometry) return tl::unexpected(geometry.error());
  if (problem.c.type == DataType::f16 && !profile.shader_f16) {
    return fail(ErrorCode::unsupported, "shader-f16",
                "C of type f16 needs the feature shader-f16, which '" + profile.name + "' does not offer");
  }
  return Builder(problem, profile, std::move(*kernel), *geometry).build(options.edges);
}

std::vector<KernelInfo> list_kernels() {
  std::vector<KernelInfo> infos;
  for (const auto& family : kernels::families()) {
    KernelInfo info{family.name, family.summary, {}};
    for (const auto& parameter : family.parameters) {
      info.parameters.push_back({parameter.name, parameter.meaning, parameter.standard, parameter.values});
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

Result<std::vector<std::string>> list_configurations(std::string_view family, const DeviceProfile& profile,
                                                     DataType type) {
  const auto standard = kernels::parse(family);
  if (!standard) return tl::unexpected(standard.error());
  std::vector<std::string> names;
  for (const auto& kernel : kernels::enumerate(*standard->family)) {
    if (kernels::check(kernel, profile, type)) names.push_back(kernels::name(kernel));
  }
  return names;
}

Result<std::string> canonical_kernel_name(std::string_view name) {
  return kernels::parse(name).map(kernels::name);
}

}  // namespace wgemm
