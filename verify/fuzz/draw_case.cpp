// What changes no text: sizes, places in memory, factors.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/round_up.hpp"
#include "verify/fuzz/draw.hpp"
#include "verify/fuzz/random.hpp"

namespace wgemm::verify::fuzz {
namespace {

/// Products of a case, so that it takes a software device about a millisecond.
constexpr std::uint64_t kMostProducts = 120000;
constexpr std::uint64_t kMostExtent = 3;

class CaseDraw {
 public:
  CaseDraw(const Group& group, const Random& random) : group_(group), random_(random) {
    case_.problem = group.form;
    case_.options = group.options;
    case_.workgroups_per_dimension = group.workgroups_per_dimension;
    case_.seed = random_.next();
  }

  Case draw(bool first) && {
    draw_batch_shape();
    draw_sizes();
    if (first && group_.empty_k) problem().k = 0;
    if (random_.one_in(100)) *random_.pick(std::array{&problem().m, &problem().n}) = 0;
    draw_factors();
    for (const auto matrix : {Matrix::a, Matrix::b, Matrix::c, Matrix::residual}) draw_place(matrix);
    if (group_.small_bindings) {
      // Scales and zero points are few, and are to be above the limit too.
      const auto unit = problem().quantization.block != 0 ? 512 : 1024;
      case_.binding_bytes = unit * random_.pick(std::array<std::uint64_t, 3>{1, 4, 16});
    }
    return std::move(case_);
  }

 private:
  Problem& problem() { return case_.problem; }
  [[nodiscard]] std::uint64_t unit() const { return group_.aligned ? 4 : 1; }

  void draw_batch_shape() {
    auto& batch = problem().batch;
    if (group_.table) {
      batch.table.resize(random_.between(1, 5));
      return;
    }
    batch.rank = group_.rank;
    for (std::uint32_t d = 0; d < batch.rank; ++d) {
      batch.extents.at(d) = random_.between(1, batch.rank > 2 ? 2 : kMostExtent);
    }
    if (batch.rank > 0 && random_.one_in(100)) batch.extents.at(0) = 0;
  }

  /// One, few, around the block, or several blocks.
  std::uint64_t draw_size(std::uint64_t block) {
    const std::uint64_t nominal = std::max<std::uint64_t>(block, 8);
    std::uint64_t size = 1;
    switch (random_.below(6)) {
      case 0:
        break;
      case 1:
        size = random_.between(1, 8);
        break;
      case 2:
        size = std::max<std::uint64_t>(2, block) + random_.below(3) - 1;
        break;
      default:
        size = random_.between(1, 2 * nominal + 5);
    }
    if (group_.whole) return round_up(size, std::lcm(block, unit()));
    return round_up(size, unit());
  }

  void draw_sizes() {
    auto& m = problem().m;
    auto& n = problem().n;
    auto& k = problem().k;
    m = draw_size(group_.block_m);
    n = draw_size(group_.block_n);
    k = draw_size(std::max<std::uint64_t>(group_.block_k, 8));
    // The planner's own choice: few rows or columns, for which it takes a small kernel.
    if (group_.options.kernel.empty()) {
      auto& few = random_.one_in(2) ? m : n;
      few = std::min<std::uint64_t>(few, 12);
    }
    // Scales and zero points above the limit on a binding: many blocks.
    const bool many_blocks = group_.small_bindings && problem().quantization.block != 0;
    if (random_.one_in(many_blocks ? 2 : 12))
      k = round_up(random_.between(100, 700), group_.whole ? std::lcm(group_.block_k, unit()) : unit());
    if (group_.options.split_k > 1) {
      const std::uint64_t least = group_.options.split_k;
      case_.options.split_k = static_cast<std::uint32_t>(random_.between(least, least == 2 ? 5 : 20));
      const auto part = std::max<std::uint64_t>(group_.block_k, 4);
      if (k <= (least - 1) * part) k += (least - 1) * part;  // otherwise there are fewer parts
    }
    // Edges, where the text is one with edges.
    if (!group_.whole && m % group_.block_m == 0 && n % group_.block_n == 0) {
      if (group_.block_m > unit()) {
        m += unit();
      } else if (group_.block_n > unit()) {
        n += unit();
      }
    }
    const auto products = std::max<std::uint64_t>(1, problem().batch.count());
    while (m * n * k * products > kMostProducts) {
      auto& largest = k >= m && k >= n ? k : m >= n ? m : n;
      const auto block = &largest == &k ? group_.block_k : &largest == &m ? group_.block_m : group_.block_n;
      const auto step = group_.whole ? std::lcm(block, unit()) : unit();
      if (largest <= 2 * step + (&largest == &k ? std::max<std::uint64_t>(group_.block_k, 4) : 0)) break;
      largest =
          &largest == &k && group_.options.split_k > 1
              ? largest - step
              : std::max(round_up(largest / 2, step), step) + (group_.whole || step > 1 ? 0 : largest % 2);
    }
  }

  void draw_factors() {
    auto& epilogue = problem().epilogue;
    if (group_.scaled) problem().alpha = random_.pick(std::array{2.0F, -1.0F, 0.5F, -1.5F, 0.7F, 0.0F});
    if (group_.beta) problem().beta = random_.pick(std::array{1.0F, -1.0F, 0.5F, 2.0F, -0.3F});
    if (problem().c.type == DataType::i32 && group_.beta) problem().beta = 1;
    if (epilogue.activation == Activation::clamp) {
      epilogue.lower = -static_cast<float>(random_.below(8));
      epilogue.upper = static_cast<float>(random_.below(8)) / 2;
    }
  }

  std::uint64_t gap() { return random_.one_in(2) ? 0 : random_.between(0, 5) * unit(); }

  /// Layout and strides of a matrix.
  void draw_place(Matrix matrix) {
    if (matrix == Matrix::residual && !problem().epilogue.add_residual) return;
    const auto shape = stored_shape(problem(), matrix);
    auto& layout = matrix == Matrix::a   ? problem().a
                   : matrix == Matrix::b ? problem().b
                   : matrix == Matrix::c ? problem().c
                                         : problem().epilogue.residual;
    const bool by_row = layout.order == Order::row_major;
    const auto lines = by_row ? shape.rows : shape.cols;
    const auto length = by_row ? shape.cols : shape.rows;
    const std::uint64_t block = problem().quantization.block;
    if (matrix == Matrix::b && block != 0) {
      layout.ld = (quantization_blocks(problem()) + (random_.one_in(3) ? 1 : 0)) * block;
      if (group_.offsets) layout.offset = random_.below(3) * block;
      return;  // a batch shares it
    }
    if (group_.offsets) layout.offset = random_.below(9) * unit();
    auto ld = length + gap();
    // No vectors: then no leading dimension is a multiple of 4.
    if (!group_.aligned && ld % 4 == 0) ++ld;
    auto& batch = problem().batch;
    const auto extent = batch.rank > 0 ? batch.extents.at(batch.rank - 1) : 1;
    const bool interleaved = batch.rank > 0 && extent > 1 && random_.one_in(5);
    if (interleaved) {  // the matrices of the last dimension lie side by side, as blocks of a larger one
      ld = length * extent + gap();
      if (!group_.aligned && ld % 4 == 0) ++ld;
    }
    layout.ld = !interleaved && ld == length && random_.one_in(2) ? 0 : ld;
    const auto span = lines == 0 ? 0 : (lines - 1) * ld + length * (interleaved ? extent : 1);
    if (group_.table) return draw_table(matrix, span);
    draw_strides(matrix, span, interleaved ? length : 0);
  }

  void draw_strides(Matrix matrix, std::uint64_t span, std::uint64_t side_by_side) {
    auto& batch = problem().batch;
    auto& strides = strides_of(batch, matrix);
    std::vector<std::uint32_t> dimensions(batch.rank);
    std::iota(dimensions.begin(), dimensions.end(), 0U);
    if (side_by_side != 0) {
      strides.at(batch.rank - 1) = side_by_side;
      dimensions.pop_back();
    }
    // Any dimension may be the innermost.
    for (std::size_t i = dimensions.size(); i > 1; --i)
      std::swap(dimensions[i - 1], dimensions[random_.below(i)]);
    auto stride = round_up(std::max<std::uint64_t>(span, 1), unit()) + gap();
    for (const auto d : dimensions) {
      const bool broadcast = matrix != Matrix::c && random_.one_in(4);
      strides.at(d) = broadcast ? 0 : stride;
      if (!broadcast) stride = stride * std::max<std::uint64_t>(batch.extents.at(d), 1) + gap();
    }
  }

  void draw_table(Matrix matrix, std::uint64_t span) {
    auto& table = problem().batch.table;
    const auto place = round_up(std::max<std::uint64_t>(span, 1), unit()) + gap();
    std::vector<std::uint64_t> places(table.size());
    std::iota(places.begin(), places.end(), std::uint64_t{0});
    for (std::size_t i = places.size(); i > 1; --i) std::swap(places[i - 1], places[random_.below(i)]);
    for (std::size_t i = 0; i < table.size(); ++i) {
      // Inputs may be shared; no two C may overlap.
      const auto at = (matrix == Matrix::c ? places[i] : random_.below(table.size())) * place;
      auto& entry = table[i];
      (matrix == Matrix::a   ? entry.a
       : matrix == Matrix::b ? entry.b
       : matrix == Matrix::c ? entry.c
                             : entry.residual) = at;
    }
  }

  const Group& group_;
  Random random_;
  Case case_;
};

}  // namespace

Case draw_case(const Group& group, std::uint64_t seed, std::uint64_t number, std::uint64_t index) {
  return CaseDraw(group, Random(seed, number, index)).draw(index == 0);
}

}  // namespace wgemm::verify::fuzz
