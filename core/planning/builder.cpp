#include "core/planning/builder.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/caller_buffers.hpp"
#include "core/planning/arrange.hpp"
#include "core/planning/cut.hpp"
#include "core/planning/dispatch.hpp"
#include "core/planning/emit.hpp"
#include "core/planning/pack.hpp"
#include "core/planning/product.hpp"
#include "core/planning/uniforms.hpp"

namespace wgemm::planning {
namespace {

/// The operand further along k.
void advance(Operand& a, Operand& b, std::uint64_t k) {
  move_start(a, 0, k);
  move_start(b, k, 0);
}

class Builder {
 public:
  Builder(const Problem& problem, const DeviceProfile& profile, const Placement& placement)
      : problem_(problem),
        profile_(profile),
        kernel_(placement.kernel),
        geometry_(placement.geometry),
        placement_(placement),
        product_(oriented_product(problem, placement.kernel.family->access)) {
    plan_.kernel = kernels::name(kernel_);
    plan_.problem = problem;
    product_.half_words = !profile.shader_f16;
    const auto bytes = caller_bytes(problem);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      plan_.buffers.push_back({static_cast<BufferRole>(i), round_up(bytes.at(i), 4), {}});
    }
  }

  Result<Plan> build(std::uint64_t scratch_cap) {
    if (product_.m == 0 || product_.n == 0 || problem_.batch.count() == 0) return std::move(plan_);
    const auto& limits = profile_.limits;
    CutLimits bounds{std::min(limits.max_storage_buffer_binding_size, limits.max_buffer_size), scratch_cap,
                     limits.min_storage_buffer_offset_alignment, std::max(problem_.quantization.block, 1U),
                     false};
    Result<void> done;
    for (const auto& buffer : plan_.buffers) bounds.windows = bounds.windows || buffer.bytes > bounds.binding;
    for (const auto& product : resolve_table(bounds)) {
      if (done) {
        done = cut(product, placement_, bounds).and_then([&](const Cut& cut) { return build_pieces(cut); });
      }
    }
    if (done) done = check_buffers(scratch_cap);
    if (!done) return tl::unexpected(done.error());
    count_traffic();
    return std::move(plan_);
  }

 private:
  /// The product. A batch by table whose matrices do not fit one binding, or that is to be cut for the sake
  /// of scratch memory, becomes a product for each entry.
  std::vector<Product> resolve_table(const CutLimits& bounds) {
    const auto& table = problem_.batch.table;
    if (table.empty()) return {product_};
    if (!bounds.windows && bounds.scratch == 0) {
      add_table();
      return {product_};
    }
    std::vector<Product> products;
    for (const auto& entry : table) {
      const std::array<std::uint64_t, 4> starts{entry.a, entry.b, entry.c, entry.residual};
      auto product = product_;
      product.rank = 0;
      for (auto* operand : {&product.a, &product.b, &product.c, &product.residual}) {
        if (operand->from_table()) operand->offset += starts.at(operand->table_place - 1);
        operand->table_place = 0;
      }
      products.push_back(product);
    }
    return products;
  }

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

  /// Scratch that the pieces of a product use one after the other, with its index among the plan's buffers.
  struct Slot {
    std::uint32_t buffer = 0;  ///< 0, the caller's A: none yet
    std::optional<std::pair<Operand, Extents>>
        holds;  ///< the operand, and of which batch, whose copy lies there
  };

  std::uint32_t scratch(Slot& slot, std::uint64_t bytes) {
    if (slot.buffer == 0) {
      slot.buffer = static_cast<std::uint32_t>(plan_.buffers.size());
      plan_.buffers.push_back({BufferRole::scratch, 0, {}});
    }
    auto& buffer = plan_.buffers[slot.buffer];
    buffer.bytes = std::max(buffer.bytes, bytes);
    return slot.buffer;
  }

  Result<void> build_pieces(const Cut& cut) {
    placement_.split_k = cut.split_k;
    for (const auto& piece : cut.pieces) {
      const auto plan = arrange(piece.product, placement_);
      bounds_ = bounds_ || reaches_beyond(piece.product, plan);
    }
    for (const auto& piece : cut.pieces) {
      if (auto done = build_piece(piece); !done) return done;
    }
    return {};
  }

  /// Whether a tile of the kernel reaches beyond a matrix.
  [[nodiscard]] bool reaches_beyond(const Product& product, const Arrangement& plan) const {
    const auto last_k = plan.k - (std::max<std::uint64_t>(plan.parts, 1) - 1) * plan.chunk;
    return product.k != 0 && (plan.rows % geometry_.block_m != 0 || plan.cols % geometry_.block_n != 0 ||
                              last_k % geometry_.block_k != 0);
  }

  Result<void> build_piece(const Piece& piece) {
    const auto& product = piece.product;
    const auto output = final_output(product);
    if (piece.first_k && piece.last_k) return multiply(product, output);
    if (sums_in_c(product)) {
      // The epilogue works on alpha A B + beta C: with beta = 1 that is the sum so far.
      auto part = product;
      auto sum = piece.last_k ? output : output_to(product.c);
      if (!piece.first_k) part.beta = 1;
      if (!piece.last_k) part.bias = Bias::none;
      if (!piece.last_k) part.add_residual = false;
      sum.beta = part.beta != 0;
      sum.scaled = part.alpha != 1 || sum.beta;
      return multiply(part, sum);
    }
    auto part = product;
    part.c = tight_operand(product.m, product.n, partial_type(product), true, product.rank, product.extents);
    part.c.buffer = scratch(sums_, word_bytes(part.c.type, product.m * product.n * batch_count(product)));
    part.alpha = 1;
    part.beta = piece.first_k ? 0 : 1;
    part.bias = Bias::none;
    part.add_residual = false;
    auto sum = output_to(part.c);
    sum.scaled = sum.beta = !piece.first_k;
    if (auto done = multiply(part, sum); !done) return done;
    return piece.last_k ? append_reduce(product, output, part.c, {1, product.m * product.n}) : Result<void>{};
  }

  /// The steps of a product into its C.
  Result<void> multiply(const Product& product, const OutputVariant& output) {
    if (product.k == 0) return append_reduce(product, output, product.c, {});
    auto plan = arrange(product, placement_);
    if (auto done = copy(plan.copies_a, plan.a, plan.a_bytes, product, product.a, copied_a_); !done)
      return done;
    if (auto done = copy(plan.copies_b, plan.b, plan.b_bytes, product, product.b, copied_b_); !done)
      return done;
    auto part = product;
    part.m = plan.rows;
    part.n = plan.cols;
    part.k = plan.k;
    part.a = plan.a;
    part.b = plan.b;
    if (plan.finishes) return append_multiply(part, output, plan);

    auto partial =
        tight_operand(plan.rows, plan.cols, partial_type(product), true, product.rank, product.extents);
    const auto size = plan.rows * plan.cols;
    for (std::uint32_t d = 0; d < product.rank; ++d) partial.strides.at(d) *= plan.parts;
    if (plan.parts > 1) partial.strides.at(product.rank) = size;
    partial.buffer = scratch(partial_, plan.partial_bytes);
    part.c = partial;
    part.bias = Bias::none;
    part.add_residual = false;
    if (auto done = append_multiply(part, output_to(partial), plan); !done) return done;
    return append_reduce(product, output, partial, {plan.parts, size});
  }

  /// Gives a copy its scratch, and fills it unless it lies there already.
  Result<void> copy(bool wanted, Operand& copied, std::uint64_t bytes, const Product& product,
                    const Operand& original, Slot& slot) {
    if (!wanted) return {};
    copied.buffer = scratch(slot, bytes);
    // Pieces that follow each other often share an operand.
    const std::pair source{original, distinct_extents(original, product.rank, product.extents)};
    if (slot.holds == source) return {};
    slot.holds = source;
    return append_copy(plan_, product, original, copied, profile_);
  }

  static OutputVariant output_to(const Operand& target) {
    OutputVariant output;
    output.type = target.type;
    output.by_column = !target.row_major;
    return output;
  }

  [[nodiscard]] OutputVariant final_output(const Product& product) const {
    auto output = output_to(product.c);
    output.scaled = product.alpha != 1 || product.beta != 0;
    output.beta = product.beta != 0;
    output.bias = product.bias;
    output.bias_type = product.bias_type;
    output.activation = problem_.epilogue.activation;
    output.residual = product.add_residual;
    output.residual_row_major = product.residual.row_major;
    output.residual_type = product.residual.type;
    return output;
  }

  /// Everything but A, B and C that the output needs.
  static void bind_epilogue(Step& step, const Product& product, const OutputVariant& output) {
    if (output.bias != Bias::none) {
      step.bindings.push_back({kBiasBinding, 3, false, product.bias_window, product.bias_bytes});
    }
    if (output.residual) step.bindings.push_back(bind(kResidualBinding, product.residual, false));
  }

  static bool has_offsets(const Product& product) {
    return product.a.offset != 0 || product.b.offset != 0 || product.c.offset != 0 ||
           product.bias_offset != 0;
  }

  [[nodiscard]] static bool needs_table(const Product& product, const OutputVariant& output) {
    return product.a.from_table() || product.b.from_table() || product.c.from_table() ||
           (output.residual && product.residual.from_table());
  }

  /// The same text is not stated twice.
  template <typename Emit>
  Result<std::uint32_t> shader(const std::string& label, const Emit& emit) {
    const auto known = std::ranges::find(plan_.shaders, label, &Shader::label);
    const auto index = static_cast<std::uint32_t>(known - plan_.shaders.begin());
    if (known == plan_.shaders.end()) {
      Result<Shader> made = emit();
      if (!made) return tl::unexpected(made.error());
      plan_.shaders.push_back(std::move(*made));
    }
    return index;
  }

  /// The kernel over the parts of k.
  Result<void> append_multiply(Product part, const OutputVariant& output, const Arrangement& plan) {
    const auto last_k = part.k - (plan.parts - 1) * plan.chunk;
    if (plan.parts > 1) {
      part.extents.at(part.rank) = plan.parts - 1;
      auto next_a = part.a;
      auto next_b = part.b;
      advance(next_a, next_b, plan.chunk);
      part.a.strides.at(part.rank) = next_a.offset - part.a.offset;
      part.b.strides.at(part.rank) = next_b.offset - part.b.offset;
      part.a.blocks.strides.at(part.rank) = next_a.blocks.scales.offset - part.a.blocks.scales.offset;
      part.b.blocks.strides.at(part.rank) = next_b.blocks.scales.offset - part.b.blocks.scales.offset;
      ++part.rank;
    }

    Variant variant;
    variant.a_k_contiguous = part.a.row_major;
    variant.b_k_contiguous = !part.b.row_major;
    set_types(variant, part);
    variant.c = output;
    set_widths(variant, part);
    variant.bounds = bounds_;
    variant.rank = part.rank;
    variant.offsets = has_offsets(part);
    variant.table = needs_table(part, variant.c);
    const auto text = shader(shader_label(kernel_, variant, profile_),
                             [&] { return emit_shader(kernel_, geometry_, variant, profile_); });
    if (!text) return tl::unexpected(text.error());

    Step step;
    step.kind = StepKind::multiply;
    step.shader = *text;
    step.bindings = {bind(0, part.a, false), bind(1, part.b, false), bind(2, part.c, true)};
    step.uniform_binding = kDimsBinding;
    step.workgroup_flops =
        2.0 * geometry_.block_m * geometry_.block_n * static_cast<double>(std::min(plan.chunk, part.k));
    bind_epilogue(step, part, output);
    bind_scales(step, part.a);
    bind_scales(step, part.b);
    if (variant.table) step.bindings.push_back({kTableBinding, product_.table, false});
    if (plan.parts > 1) {
      part.k = plan.chunk;
      append_grid(step, part, variant);
      advance(part.a, part.b, (plan.parts - 1) * plan.chunk);
      part.c.offset += (plan.parts - 1) * part.c.strides.at(part.rank - 1);
      part.extents.at(part.rank - 1) = 1;
    }
    part.k = last_k;
    append_grid(step, part, variant);
    plan_.steps.push_back(std::move(step));
    return {};
  }

  static void set_types(Variant& variant, const Product& part) {
    variant.a_type = part.a.type;
    variant.b_type = part.b.type;
    variant.sum = part.sum;
    variant.half_words = part.half_words;
    variant.a_quantised = part.a.quantised();
    variant.b_quantised = part.b.quantised();
    const auto& weights = part.a.quantised() ? part.a.blocks : part.b.blocks;
    variant.scale_type = weights.scales.type;
    variant.zeros = weights.zeros.ld != 0;
  }

  void set_widths(Variant& variant, const Product& part) const {
    switch (kernel_.family->access) {
      case kernels::Access::elements:
        variant.c.aligned = kernel_.family->matrix_units && !variant.c.epilogue() &&
                            part.c.type == DataType::f32 && vector_width(part.c) == 4;
        return;
      case kernels::Access::words_along_k:
        return;
      case kernels::Access::vectors:
        variant.c.width = vector_width(part.c);
        [[fallthrough]];
      case kernels::Access::vectors_along_k:
        variant.a_width = vector_width(part.a);
        variant.b_width = vector_width(part.b);
        return;
      case kernels::Access::skinny_along_n:
      case kernels::Access::skinny_along_k:
        const bool along =
            kernel_.family->access == kernels::Access::skinny_along_n ? part.b.row_major : !part.b.row_major;
        variant.a_width = part.a.row_major ? vector_width(part.a) : 1;
        variant.b_width = along ? vector_width(part.b) : 1;
        return;
    }
  }

  void append_grid(Step& step, const Product& part, const Variant& variant) const {
    GridSize grid{blocks(part.n, geometry_.block_n), blocks(part.m, geometry_.block_m), batch_count(part)};
    if (kernel_.family->grid == kernels::Grid::rows_along_x) std::swap(grid.x, grid.y);
    const std::uint64_t limit = profile_.limits.max_compute_workgroups_per_dimension;
    const auto uniforms = uniforms_for(part, variant, problem_.epilogue);
    for (auto& dispatch : cover_grid(grid, {limit, limit, limit}, uniforms)) {
      step.dispatches.push_back(std::move(dispatch));
    }
  }

  /// Adds the parts that lie in `partial` and finishes them into C.
  Result<void> append_reduce(const Product& product, const OutputVariant& output, const Operand& partial,
                             const Partials& partials) {
    auto result = product;
    result.a = partial;
    Variant variant;
    variant.a_type = variant.b_type = variant.sum = partial_type(result);
    variant.half_words = result.half_words;
    variant.c = output;
    variant.rank = result.rank;
    variant.partials = true;
    variant.offsets = has_offsets(result);
    variant.table = needs_table(result, variant.c);
    const auto text = shader(reduce_label(variant), [&] { return emit_reduce(variant, profile_); });
    if (!text) return tl::unexpected(text.error());
    Step step;
    step.kind = StepKind::reduce;
    step.shader = *text;
    // Without parts nothing is read, but a binding must be there; it must not be C, which is written.
    const auto source =
        partials.parts > 0 ? bind(0, partial, false) : Binding{0, scratch(partial_, 4), false};
    step.bindings = {source, bind(2, result.c, true)};
    step.uniform_binding = kDimsBinding;
    step.workgroup_flops =
        kReduceRows * kReduceColumns * kFlopsPerElement * static_cast<double>(partials.parts + 1);
    bind_epilogue(step, result, output);
    if (variant.table) step.bindings.push_back({kTableBinding, product_.table, false});
    GridSize grid{blocks(result.n, kReduceColumns), blocks(result.m, kReduceRows), batch_count(result)};
    const std::uint64_t limit = profile_.limits.max_compute_workgroups_per_dimension;
    step.dispatches =
        cover_grid(grid, {limit, limit, limit}, uniforms_for(result, variant, problem_.epilogue, partials));
    plan_.steps.push_back(std::move(step));
    return {};
  }

  [[nodiscard]] Result<void> check_buffers(std::uint64_t scratch_cap) const {
    std::uint64_t scratch_bytes = 0;
    for (const auto& buffer : plan_.buffers) {
      if (buffer.role == BufferRole::scratch) scratch_bytes += buffer.bytes;
      if (buffer.bytes <= profile_.limits.max_buffer_size) continue;
      return fail(ErrorCode::unsupported, "maxBufferSize",
                  describe(problem_) + " needs a buffer of " + std::to_string(buffer.bytes) + " bytes (" +
                      std::string(to_string(buffer.role)) + "); the device has buffers of at most " +
                      std::to_string(profile_.limits.max_buffer_size));
    }
    if (scratch_cap != 0 && scratch_bytes > scratch_cap) {
      return fail(ErrorCode::unsupported, "scratch_cap",
                  describe(problem_) + " needs " + std::to_string(scratch_bytes) +
                      " bytes of scratch memory; scratch_cap = " + std::to_string(scratch_cap));
    }
    return {};
  }

  void count_traffic() {
    const auto rounded = [](std::uint64_t value, std::uint32_t block) {
      return static_cast<double>(round_up(value, block));
    };
    const auto batch = static_cast<double>(problem_.batch.count());
    const double m = rounded(product_.m, geometry_.block_m);
    const double n = rounded(product_.n, geometry_.block_n);
    const double k = rounded(product_.k, geometry_.block_k);
    const double a_bytes = bits_of(product_.a.type) / 8.0;
    const double b_bytes = bits_of(product_.b.type) / 8.0;
    const auto c_bytes = static_cast<double>(size_of(problem_.c.type)) * static_cast<double>(problem_.m) *
                         static_cast<double>(problem_.n);
    const auto inputs = static_cast<double>(problem_.k) * (a_bytes * static_cast<double>(product_.m) +
                                                           b_bytes * static_cast<double>(product_.n));
    plan_.traffic.flops = problem_.flops();
    plan_.traffic.global_bytes =
        batch * (m * n * k * (a_bytes / geometry_.reuse_n + b_bytes / geometry_.reuse_m) + c_bytes);
    plan_.traffic.compulsory_bytes = batch * (inputs + c_bytes);
  }

  const Problem& problem_;
  const DeviceProfile& profile_;
  const kernels::Kernel& kernel_;
  const kernels::Geometry& geometry_;
  Placement placement_;
  Product product_;
  bool bounds_ = false;  ///< some tile of some piece reaches beyond a matrix: one text serves all
  Slot copied_a_;
  Slot copied_b_;
  Slot partial_;
  Slot sums_;
  Plan plan_;
};

}  // namespace

Result<Plan> build_plan(const Problem& problem, const DeviceProfile& profile, const Placement& placement,
                        std::uint64_t scratch_cap) {
  return Builder(problem, profile, placement).build(scratch_cap);
}

}  // namespace wgemm::planning
