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
#include "core/planning/multiply.hpp"
#include "core/planning/pack.hpp"
#include "core/planning/product.hpp"
#include "core/planning/traffic.hpp"

namespace wgemm::planning {
namespace {

class Builder {
 public:
  Builder(const Problem& problem, const DeviceProfile& profile, const Placement& placement)
      : problem_(problem),
        profile_(profile),
        placement_(placement),
        product_(oriented_product(problem, placement.kernel.family->access)) {
    plan_.kernel = kernels::name(placement.kernel);
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
                     std::max(limits.min_storage_buffer_offset_alignment, 4U),  // whole words
                     std::max(problem_.quantization.block, 1U), false};
    Result<void> done;
    for (const auto& buffer : plan_.buffers) bounds.windows = bounds.windows || buffer.bytes > bounds.binding;
    for (const auto& product : resolve_table(bounds)) {
      if (done) {
        done = cut(product, placement_, bounds).and_then([&](const Cut& cut) { return build_pieces(cut); });
      }
    }
    if (done) done = check_buffers(scratch_cap);
    if (!done) return tl::unexpected(done.error());
    plan_.traffic = count_traffic(problem_, product_, placement_.geometry);
    return std::move(plan_);
  }

  /// Products of parts of the matrices that the plan does.
  [[nodiscard]] std::size_t pieces() const { return pieces_; }

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
    pieces_ += cut.pieces.size();
    placement_.split_k = cut.split_k;
    for (const auto& piece : cut.pieces) {
      bounds_ = bounds_ || arrange(piece.product, placement_).bounds;
    }
    for (const auto& piece : cut.pieces) {
      if (auto done = build_piece(piece); !done) return done;
    }
    return {};
  }

  Result<void> build_piece(const Piece& piece) {
    const auto& product = piece.product;
    const auto output = finished(product, problem_.epilogue.activation);
    if (piece.first_k && piece.last_k) return multiply(product, output);
    if (sums_in_c(product)) {
      // The epilogue works on alpha A B + beta C: with beta = 1 that is the sum so far.
      auto part = product;
      auto sum = piece.last_k ? output : sums_into(product.c);
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
    auto sum = sums_into(part.c);
    sum.scaled = sum.beta = !piece.first_k;
    if (auto done = multiply(part, sum); !done) return done;
    if (!piece.last_k) return {};
    return append_reduce(plan_, product, output, part.c, {1, product.m * product.n}, profile_);
  }

  /// C of a product without k: beta C, and the epilogue.
  Result<void> finish_nothing(const Product& product, const OutputVariant& output) {
    auto source = product.c;
    source.buffer = scratch(partial_, 4);
    source.window = source.window_bytes = 0;
    return append_reduce(plan_, product, output, source, {}, profile_);
  }

  /// The steps of a product into its C.
  Result<void> multiply(const Product& product, const OutputVariant& output) {
    if (product.k == 0) return finish_nothing(product, output);
    auto arranged = arrange(product, placement_);
    arranged.bounds = bounds_;
    plan_.split_k = std::max(plan_.split_k, static_cast<std::uint32_t>(arranged.parts));
    if (auto done = copy(arranged.copies_a, arranged.a, arranged.a_bytes, product, product.a, copied_a_);
        !done)
      return done;
    if (auto done = copy(arranged.copies_b, arranged.b, arranged.b_bytes, product, product.b, copied_b_);
        !done)
      return done;
    auto part = product;
    part.m = arranged.rows;
    part.n = arranged.cols;
    part.k = arranged.k;
    part.a = arranged.a;
    part.b = arranged.b;
    if (arranged.finishes) return append_multiply(plan_, part, output, arranged, placement_, profile_);

    auto partial = tight_operand(arranged.rows, arranged.cols, partial_type(product), true, product.rank,
                                 product.extents);
    const auto size = arranged.rows * arranged.cols;
    for (std::uint32_t d = 0; d < product.rank; ++d) partial.strides.at(d) *= arranged.parts;
    if (arranged.parts > 1) partial.strides.at(product.rank) = size;
    partial.buffer = scratch(partial_, arranged.partial_bytes);
    part.c = partial;
    part.bias = Bias::none;
    part.add_residual = false;
    if (auto done = append_multiply(plan_, part, sums_into(partial), arranged, placement_, profile_); !done)
      return done;
    return append_reduce(plan_, product, output, partial, {arranged.parts, size}, profile_);
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

  const Problem& problem_;
  const DeviceProfile& profile_;
  Placement placement_;
  Product product_;
  bool bounds_ = false;  ///< some tile of some piece reaches beyond a matrix: one text serves all
  Slot copied_a_;
  Slot copied_b_;
  Slot partial_;
  Slot sums_;
  std::size_t pieces_ = 0;
  Plan plan_;
};

}  // namespace

Result<Plan> build_plan(const Problem& problem, const DeviceProfile& profile, const Placement& placement,
                        std::uint64_t scratch_cap) {
  Builder builder(problem, profile, placement);
  auto plan = builder.build(scratch_cap);
  if (!placement.align || (plan && builder.pieces() <= 1)) return plan;
  // Copies are no reason to cut a product.
  auto sparing = placement;
  sparing.align = false;
  return Builder(problem, profile, sparing).build(scratch_cap);
}

}  // namespace wgemm::planning
