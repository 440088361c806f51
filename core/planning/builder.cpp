#include "core/planning/builder.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "core/planning/dispatch.hpp"
#include "core/planning/emit.hpp"
#include "core/planning/pack.hpp"
#include "core/planning/product.hpp"
#include "core/planning/uniforms.hpp"

namespace wgemm::planning {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::uint64_t blocks(std::uint64_t value, std::uint64_t block) { return (value + block - 1) / block; }

std::uint64_t words(std::uint64_t bytes) { return round_up(bytes, 4); }

/// The operand further along k.
void advance(Operand& a, Operand& b, std::uint64_t k) {
  move_start(a, 0, k);
  move_start(b, k, 0);
}

class Builder {
 public:
  Builder(const Problem& problem, const DeviceProfile& profile, const kernels::Kernel& kernel,
          const kernels::Geometry& geometry)
      : problem_(problem),
        profile_(profile),
        kernel_(kernel),
        geometry_(geometry),
        product_(row_major_product(problem)) {
    plan_.kernel = kernels::name(kernel_);
    plan_.problem = problem;
    product_.half_words = !profile.shader_f16;
    const std::array<std::uint64_t, kCallerBuffers> bytes = {
        buffer_bytes(problem, Matrix::a),
        buffer_bytes(problem, Matrix::b),
        buffer_bytes(problem, Matrix::c),
        size_of(problem.epilogue.bias_type, bias_length(problem)),
        buffer_bytes(problem, Matrix::residual),
        scales_bytes(problem),
        zeros_bytes(problem)};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      plan_.buffers.push_back({static_cast<BufferRole>(i), words(bytes.at(i)), {}});
    }
    if (!problem.batch.table.empty()) add_table();
  }

  Result<Plan> build(EdgePolicy edges, std::uint32_t split_k) {
    if (product_.m == 0 || product_.n == 0 || problem_.batch.count() == 0) return std::move(plan_);
    auto done = product_.k == 0 ? append_reduce(product_.c, {}) : multiply(edges, split_k);
    if (done) done = check_buffers();
    if (!done) return tl::unexpected(done.error());
    count_traffic();
    return std::move(plan_);
  }

 private:
  /// The batch's table as a constant of the plan.
  void add_table() {
    PlanBuffer table{BufferRole::constant, problem_.batch.table.size() * 16, {}};
    table.words.reserve(table.bytes / 4);
    for (const auto& entry : problem_.batch.table) {
      for (const auto start : {entry.a, entry.b, entry.c, entry.residual})
        table.words.push_back(static_cast<std::uint32_t>(start));
    }
    product_.table = static_cast<std::uint32_t>(plan_.buffers.size());
    plan_.buffers.push_back(std::move(table));
  }

  std::uint32_t add_scratch(std::uint64_t elements, DataType type) {
    plan_.buffers.push_back({BufferRole::scratch, words(size_of(type, elements)), {}});
    return static_cast<std::uint32_t>(plan_.buffers.size() - 1);
  }

  Result<void> multiply(EdgePolicy edges, std::uint32_t split_k) {
    if (auto done = place_operands(edges); !done) return done;
    // Parts of whole blocks, of whole vectors, and of whole blocks of a quantised operand.
    const auto quantum = std::max<std::uint64_t>({4, product_.a.blocks.size, product_.b.blocks.size});
    const auto chunk = round_up(blocks(product_.k, split_k),
                                std::lcm<std::uint64_t, std::uint64_t>(geometry_.block_k, quantum));
    const auto parts = blocks(product_.k, chunk);
    if (parts == 1 && rows_ == product_.m && cols_ == product_.n)
      return append_multiply(product_.c, chunk, 1);

    auto partial = tight_operand(rows_, cols_, partial_type(product_), true, problem_);
    const auto part = rows_ * cols_;
    for (std::uint32_t d = 0; d < product_.rank; ++d) partial.strides.at(d) *= parts;
    if (parts > 1) partial.strides.at(product_.rank) = part;
    partial.buffer = add_scratch(part * parts * problem_.batch.count(), partial.type);
    if (auto done = append_multiply(partial, chunk, parts); !done) return done;
    return append_reduce(partial, {parts, part});
  }

  /// Copies an operand into scratch of rows x cols in the given order, unless it already is that and `ready`
  /// as it lies.
  Result<void> repack(Operand& operand, std::uint64_t rows, std::uint64_t cols, bool row_major, bool ready) {
    if (ready && operand.rows == rows && operand.cols == cols && operand.row_major == row_major) return {};
    const auto type = kernel_.family->access == kernels::Access::words_along_k
                          ? operand.type
                          : copied_type(operand, product_.half_words);
    auto packed = tight_operand(rows, cols, type, row_major, problem_);
    packed.buffer = add_scratch(rows * cols * problem_.batch.count(), type);
    auto done = append_copy(plan_, product_, operand, packed, profile_);
    operand = packed;
    return done;
  }

  Result<void> place_operands(EdgePolicy edges) {
    auto& [m, n, k, a, b, c, residual, bias, rank, extents, sum, half_words, table] = product_;
    const bool along_k = kernel_.family->access == kernels::Access::vectors_along_k ||
                         kernel_.family->access == kernels::Access::words_along_k;
    const bool padded = edges == EdgePolicy::padded;
    rows_ = padded ? round_up(m, geometry_.block_m) : m;
    cols_ = padded ? round_up(n, geometry_.block_n) : n;
    const auto padded_k = padded ? round_up(k, geometry_.block_k) : k;
    // Vectors along k: whole vectors of 4, which zeros fill up at the end.
    const auto packed_k = along_k ? round_up(padded_k, 4) : padded_k;
    const bool a_ready = !along_k || (a.row_major && vector_width(a) == 4);
    const bool b_ready = !along_k || (!b.row_major && vector_width(b) == 4);
    if (auto done = repack(a, rows_, a_ready ? padded_k : packed_k, along_k || a.row_major, a_ready); !done) {
      return done;
    }
    if (auto done = repack(b, b_ready ? padded_k : packed_k, cols_, along_k ? false : b.row_major, b_ready);
        !done) {
      return done;
    }
    // A quantised operand consists of whole blocks, of which the other one sees zeros beyond the end.
    k = std::max(a.cols, b.rows);
    return {};
  }

  [[nodiscard]] OutputVariant final_output() const {
    OutputVariant output;
    output.type = product_.c.type;
    output.scaled = problem_.alpha != 1 || problem_.beta != 0;
    output.beta = problem_.beta != 0;
    output.bias = product_.bias;
    output.bias_type = problem_.epilogue.bias_type;
    output.activation = problem_.epilogue.activation;
    output.residual = problem_.epilogue.add_residual;
    output.residual_row_major = product_.residual.row_major;
    output.residual_type = product_.residual.type;
    return output;
  }

  /// Everything but A, B and C that the output needs.
  void bind_epilogue(Step& step, const OutputVariant& output) const {
    if (output.bias != Bias::none) step.bindings.push_back({kBiasBinding, 3, false});
    if (output.residual) step.bindings.push_back({kResidualBinding, product_.residual.buffer, false});
  }

  [[nodiscard]] bool has_offsets(const Product& product) const {
    return product.a.offset != 0 || product.b.offset != 0 || product.c.offset != 0 ||
           product.a.blocks.first != 0 || product.b.blocks.first != 0;
  }

  [[nodiscard]] static bool needs_table(const Product& product, const OutputVariant& output) {
    return product.a.from_table() || product.b.from_table() || product.c.from_table() ||
           (output.residual && product.residual.from_table());
  }

  /// The kernel over `parts` parts of k into `target`, which is C or scratch.
  Result<void> append_multiply(const Operand& target, std::uint64_t chunk, std::uint64_t parts) {
    auto part = product_;
    part.m = rows_;
    part.n = cols_;
    part.c = target;
    const auto last_k = product_.k - (parts - 1) * chunk;
    if (parts > 1) {
      part.extents.at(part.rank) = parts - 1;
      auto next_a = part.a;
      auto next_b = part.b;
      advance(next_a, next_b, chunk);
      part.a.strides.at(part.rank) = next_a.offset - part.a.offset;
      part.b.strides.at(part.rank) = next_b.offset - part.b.offset;
      part.a.blocks.strides.at(part.rank) = next_a.blocks.first - part.a.blocks.first;
      part.b.blocks.strides.at(part.rank) = next_b.blocks.first - part.b.blocks.first;
      ++part.rank;
    }

    Variant variant;
    variant.a_k_contiguous = part.a.row_major;
    variant.b_k_contiguous = !part.b.row_major;
    variant.a_type = part.a.type;
    variant.b_type = part.b.type;
    variant.sum = part.sum;
    variant.half_words = part.half_words;
    variant.a_quantised = part.a.quantised();
    variant.b_quantised = part.b.quantised();
    const auto& weights = part.a.quantised() ? part.a.blocks : part.b.blocks;
    variant.scale_type = weights.scale_type;
    variant.zeros = weights.zeros_ld != 0;
    variant.c.type = target.type;
    if (target.buffer == product_.c.buffer) variant.c = final_output();
    const auto access = kernel_.family->access;
    if (access == kernels::Access::vectors || access == kernels::Access::vectors_along_k) {
      variant.a_width = vector_width(part.a);
      variant.b_width = vector_width(part.b);
      if (access == kernels::Access::vectors) variant.c.width = vector_width(part.c);
    }
    variant.bounds =
        part.m % geometry_.block_m != 0 || part.n % geometry_.block_n != 0 || last_k % geometry_.block_k != 0;
    variant.rank = part.rank;
    variant.offsets = has_offsets(part);
    variant.table = needs_table(part, variant.c);
    auto shader = emit_shader(kernel_, geometry_, variant, profile_);
    if (!shader) return tl::unexpected(shader.error());

    Step step;
    step.kind = StepKind::multiply;
    step.shader = static_cast<std::uint32_t>(plan_.shaders.size());
    step.bindings = {{0, part.a.buffer, false}, {1, part.b.buffer, false}, {2, part.c.buffer, true}};
    step.uniform_binding = kDimsBinding;
    bind_epilogue(step, variant.c);
    bind_scales(step, part.a);
    bind_scales(step, part.b);
    if (variant.table) step.bindings.push_back({kTableBinding, product_.table, false});
    if (parts > 1) {
      part.k = chunk;
      append_grid(step, part, variant);
      advance(part.a, part.b, (parts - 1) * chunk);
      part.c.offset += (parts - 1) * part.c.strides.at(part.rank - 1);
      part.extents.at(part.rank - 1) = 1;
    }
    part.k = last_k;
    append_grid(step, part, variant);
    plan_.shaders.push_back(std::move(*shader));
    plan_.steps.push_back(std::move(step));
    return {};
  }

  void append_grid(Step& step, const Product& part, const Variant& variant) const {
    GridSize grid{blocks(part.n, geometry_.block_n), blocks(part.m, geometry_.block_m), 1};
    if (kernel_.family->grid == kernels::Grid::rows_along_x) std::swap(grid.x, grid.y);
    for (std::uint32_t d = 0; d < part.rank; ++d) grid.z *= part.extents.at(d);
    const std::uint64_t limit = profile_.limits.max_compute_workgroups_per_dimension;
    const auto uniforms = uniforms_for(part, variant, problem_);
    for (auto& dispatch : cover_grid(grid, {limit, limit, limit}, uniforms)) {
      step.dispatches.push_back(std::move(dispatch));
    }
  }

  /// Adds the parts that lie in `partial` and finishes them into C.
  Result<void> append_reduce(const Operand& partial, const Partials& partials) {
    auto result = product_;
    result.a = partial;
    Variant variant;
    variant.a_type = variant.b_type = variant.sum = partial_type(result);
    variant.half_words = result.half_words;
    variant.c = final_output();
    variant.rank = result.rank;
    variant.partials = true;
    variant.offsets = has_offsets(result);
    variant.table = needs_table(result, variant.c);
    auto shader = emit_reduce(variant, profile_);
    if (!shader) return tl::unexpected(shader.error());
    Step step;
    step.kind = StepKind::reduce;
    step.shader = static_cast<std::uint32_t>(plan_.shaders.size());
    // Without parts nothing is read, but a binding must be there; it must not be C, which is written.
    const auto source = partials.parts > 0 ? partial.buffer : add_scratch(1, DataType::f32);
    step.bindings = {{0, source, false}, {2, result.c.buffer, true}};
    step.uniform_binding = kDimsBinding;
    bind_epilogue(step, variant.c);
    if (variant.table) step.bindings.push_back({kTableBinding, product_.table, false});
    GridSize grid{blocks(result.n, kReduceColumns), blocks(result.m, kReduceRows), problem_.batch.count()};
    const std::uint64_t limit = profile_.limits.max_compute_workgroups_per_dimension;
    step.dispatches =
        cover_grid(grid, {limit, limit, limit}, uniforms_for(result, variant, problem_, partials));
    plan_.shaders.push_back(std::move(*shader));
    plan_.steps.push_back(std::move(step));
    return {};
  }

  [[nodiscard]] Result<void> check_buffers() const {
    const auto limit =
        std::min(profile_.limits.max_storage_buffer_binding_size, profile_.limits.max_buffer_size);
    for (const auto& buffer : plan_.buffers) {
      if (buffer.bytes <= limit) continue;
      return fail(ErrorCode::unsupported, "maxStorageBufferBindingSize",
                  describe(problem_) + " needs a buffer of " + std::to_string(buffer.bytes) + " bytes (" +
                      std::string(to_string(buffer.role)) + "); the device binds at most " +
                      std::to_string(limit));
    }
    return {};
  }

  void count_traffic() {
    const auto rounded = [](std::uint64_t value, std::uint32_t block) {
      return static_cast<double>(round_up(value, block));
    };
    const auto batch = static_cast<double>(problem_.batch.count());
    const double m = rounded(rows_ != 0 ? rows_ : product_.m, geometry_.block_m);
    const double n = rounded(cols_ != 0 ? cols_ : product_.n, geometry_.block_n);
    const double k = rounded(product_.k, geometry_.block_k);
    const double a_bytes = bits_of(problem_.a.type) / 8.0;
    const double b_bytes = bits_of(problem_.b.type) / 8.0;
    const bool exchanged = problem_.c.order == Order::col_major;
    const double left = exchanged ? b_bytes : a_bytes;
    const double right = exchanged ? a_bytes : b_bytes;
    const auto c_bytes = static_cast<double>(size_of(problem_.c.type)) * static_cast<double>(problem_.m) *
                         static_cast<double>(problem_.n);
    const auto inputs = static_cast<double>(problem_.k) * (a_bytes * static_cast<double>(problem_.m) +
                                                           b_bytes * static_cast<double>(problem_.n));
    plan_.traffic.flops = problem_.flops();
    plan_.traffic.global_bytes =
        batch * (m * n * k * (left / geometry_.reuse_n + right / geometry_.reuse_m) + c_bytes);
    plan_.traffic.compulsory_bytes = batch * (inputs + c_bytes);
  }

  const Problem& problem_;
  const DeviceProfile& profile_;
  const kernels::Kernel& kernel_;
  const kernels::Geometry& geometry_;
  Product product_;
  std::uint64_t rows_ = 0;  ///< of C as the kernel computes it: whole tiles where operands are padded
  std::uint64_t cols_ = 0;
  Plan plan_;
};

}  // namespace

Result<Plan> build_plan(const Problem& problem, const DeviceProfile& profile, const kernels::Kernel& kernel,
                        const kernels::Geometry& geometry, EdgePolicy edges, std::uint32_t split_k) {
  return Builder(problem, profile, kernel, geometry).build(edges, split_k);
}

}  // namespace wgemm::planning
