#include "core/streaming/panels.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/round_up.hpp"

namespace wgemm {

namespace {

/// Panels thinner than this make more copying than multiplying.
constexpr std::uint64_t kDepth = 256;
constexpr std::uint64_t kEdge = 64;

/// Whether the panel's products of a batch have one and the same matrix.
bool is_shared(const Problem& problem, Matrix matrix, const Panel& panel) {
  if (panel.batch <= 1) {
    return true;
  }
  const Batch& batch = problem.batch;
  const std::uint64_t last = panel.batch0 + panel.batch - 1;
  if (!batch.table.empty()) {
    const std::uint64_t element = first_element(problem, matrix, last);
    for (std::uint64_t i = panel.batch0; i < last; ++i) {
      if (first_element(problem, matrix, i) != element) {
        return false;
      }
    }
    return true;
  }
  std::uint64_t inner = 1;  // products in front of which the index along d stays
  for (std::uint32_t d = batch.rank; d-- > 0;) {
    const bool varies = batch.extents.at(d) > 1 && panel.batch0 / inner != last / inner;
    if (varies && strides_of(batch, matrix).at(d) != 0) {
      return false;
    }
    inner *= batch.extents.at(d);
  }
  return true;
}

/// Elements from a matrix of a panel to the next one of the batch, where they lie one behind the other.
std::uint64_t tight_stride(const Problem& part, Matrix matrix) {
  const Shape shape = stored_shape(part, matrix);
  const MatrixLayout& layout = layout_of(part, matrix);
  return layout.ld * (layout.order == Order::row_major ? shape.rows : shape.cols);
}

/// What k is cut at multiples of: whole blocks of a quantised B, and whole bytes of its zero points.
std::uint64_t depth_unit(const Problem& problem) {
  return problem.quantization.block != 0 ? 2 * std::uint64_t{problem.quantization.block} : 4;
}

struct Bytes {
  std::uint64_t inputs = 0;   ///< of A and B with its scales, once
  std::uint64_t outputs = 0;  ///< of C and what its epilogue reads
  std::uint64_t largest = 0;  ///< buffer
};

Bytes bytes_of(const Problem& panel) {
  const auto sum = [](const auto& all) {
    std::uint64_t bytes = 0;
    for (const std::uint64_t each : all) {
      bytes += round_up(each, 4);
    }
    return bytes;
  };
  const std::array inputs = {buffer_bytes(panel, Matrix::a), buffer_bytes(panel, Matrix::b),
                             scales_bytes(panel), zeros_bytes(panel)};
  const std::array outputs = {buffer_bytes(panel, Matrix::c), buffer_bytes(panel, Matrix::residual),
                              size_of(panel.epilogue.bias_type, bias_length(panel))};
  return {sum(inputs), sum(outputs), std::max(std::ranges::max(inputs), std::ranges::max(outputs))};
}

/// C keeps f32 sums between panels of k; the host converts what it is told to be f16.
DataType device_c_type(const Problem& problem, std::uint64_t depth) {
  return depth < problem.k && problem.c.type == DataType::f16 ? DataType::f32 : problem.c.type;
}

/// Makes the panel smaller; false where it cannot be.
bool shrink(Panel& panel, const Bytes& bytes, std::uint64_t unit) {
  const auto halve = [](std::uint64_t& size, std::uint64_t multiple) {
    size = std::min(round_up((size + 1) / 2, multiple), size - 1);
    return true;
  };
  if (panel.batch > 1) {
    return halve(panel.batch, 1);
  }
  if (2 * bytes.inputs > bytes.outputs && panel.depth > kDepth) {
    return halve(panel.depth, round_up(kDepth, unit));
  }
  std::uint64_t& edge = std::max(panel.rows, panel.cols) == panel.rows ? panel.rows : panel.cols;
  if (edge > kEdge) {
    return halve(edge, kEdge);
  }
  if (panel.depth > unit) {
    return halve(panel.depth, unit);
  }
  return edge > 1 && halve(edge, 1);
}

/// The panel of those sizes that takes the most memory: it shares no matrix but those that all products
/// share.
Problem largest_panel(const Problem& problem, const Panel& panel, DataType c_type) {
  Problem part = panel_problem(problem, panel, c_type);
  if (panel.batch <= 1) {
    return part;
  }
  Panel all = panel;
  all.batch0 = 0;
  all.batch = problem.batch.count();
  for (const Matrix matrix : {Matrix::a, Matrix::b, Matrix::residual}) {
    strides_of(part.batch, matrix)[0] = is_shared(problem, matrix, all) ? 0 : tight_stride(part, matrix);
  }
  return part;
}

/// Ranges into which `size` things are cut; one where there is nothing to cut.
std::uint64_t ranges_of(std::uint64_t size, std::uint64_t step) {
  return size == 0 ? 1 : (size + step - 1) / step;
}

/// How many panels of that size a product has; sizes may be absurd.
double panels_of(const Problem& problem, const Panel& panel) {
  double count = 1;
  for (const auto& [size, step] : {std::pair{problem.batch.count(), panel.batch},
                                   {problem.m, panel.rows},
                                   {problem.n, panel.cols},
                                   {problem.k, panel.depth}}) {
    count *= static_cast<double>(ranges_of(size, step));
  }
  return count;
}

/// Nothing where not even an element fits, or there would be too many panels.
std::optional<Streaming> cut(const Problem& problem, const Limits& limits, std::uint64_t cap) {
  Streaming streaming;
  Panel& panel = streaming.first;
  panel = {0, problem.batch.count(), 0, problem.m, 0, problem.n, 0, problem.k};
  const std::uint64_t unit = depth_unit(problem);
  // A quarter of the cap is for what the plans need beside the matrices.
  const std::uint64_t room = cap != 0 ? cap - cap / 4 : ~std::uint64_t{0};
  streaming.scratch_cap = cap / 16;
  while (true) {
    const double count = panels_of(problem, panel);
    if (count > static_cast<double>(kMostPanels)) {
      return std::nullopt;
    }
    streaming.count = static_cast<std::uint64_t>(count);
    streaming.c_type = device_c_type(problem, panel.depth);
    const Bytes bytes = bytes_of(largest_panel(problem, panel, streaming.c_type));
    if (2 * bytes.inputs + bytes.outputs <= room && bytes.largest <= limits.max_buffer_size) {
      break;
    }
    if (!shrink(panel, bytes, unit)) {
      return std::nullopt;
    }
  }
  panel.last_k = panel.depth >= problem.k;
  if (problem.m == 0 || problem.n == 0 || problem.batch.count() == 0) {
    streaming.count = 0;
  }
  return streaming;
}

/// The least number above `given` that does. What does goes on doing when it grows, for panels shrink in one
/// order whatever they must fit into.
template <typename Does>
std::uint64_t least_above(std::uint64_t given, const Does& does) {
  std::uint64_t below = given;
  std::uint64_t enough = std::uint64_t{1} << 62U;
  while (enough > below + 1) {
    const std::uint64_t middle = below + (enough - below) / 2;
    (does(middle) ? enough : below) = middle;
  }
  return enough;
}

}  // namespace

std::uint64_t operand_bytes(const Problem& problem) {
  const Bytes bytes = bytes_of(problem);
  return bytes.inputs + bytes.outputs;
}

bool must_stream(const Problem& problem, const Limits& limits, std::uint64_t cap) {
  return bytes_of(problem).largest > limits.max_buffer_size || (cap != 0 && operand_bytes(problem) > cap);
}

Problem panel_problem(const Problem& problem, const Panel& panel, DataType c_type) {
  Problem result = problem;
  result.m = panel.rows;
  result.n = panel.cols;
  result.k = panel.depth;
  result.c.type = c_type;
  result.batch = {};
  result.batch.rank = panel.batch > 1 ? 1 : 0;
  result.batch.extents[0] = panel.batch;
  if (!panel.first_k) {
    result.beta = 1;
  }
  if (!panel.last_k) {
    result.epilogue = {};
  }
  for (const Matrix matrix : {Matrix::a, Matrix::b, Matrix::c, Matrix::residual}) {
    MatrixLayout& layout = matrix == Matrix::a   ? result.a
                           : matrix == Matrix::b ? result.b
                           : matrix == Matrix::c ? result.c
                                                 : result.epilogue.residual;
    const Shape shape = stored_shape(result, matrix);
    const bool by_row = layout.order == Order::row_major;
    const std::uint64_t unit =
        matrix == Matrix::b && problem.quantization.block != 0 ? problem.quantization.block : 4;
    layout.offset = 0;
    layout.ld = round_up(by_row ? shape.cols : shape.rows, unit);
    strides_of(result.batch, matrix)[0] =
        is_shared(problem, matrix, panel) ? 0 : tight_stride(result, matrix);
  }
  return result;
}

Result<Streaming> plan_streaming(const Problem& problem, const Limits& limits, std::uint64_t cap) {
  if (const auto streaming = cut(problem, limits, cap)) {
    return *streaming;
  }
  const auto too_few = [&](const std::string& argument, std::uint64_t given, std::uint64_t least) {
    return fail(ErrorCode::unsupported, argument,
                argument + " = " + std::to_string(given) + " bytes are too few for " + describe(problem) +
                    ", which passes through the device in at most " + std::to_string(kMostPanels) +
                    " panels; " + std::to_string(least) + " would do");
  };
  Limits larger = limits;
  const auto with_limit = [&](std::uint64_t bytes) {
    larger.max_buffer_size = bytes;
    return cut(problem, larger, 0).has_value();
  };
  if (!with_limit(limits.max_buffer_size)) {
    return too_few("max_buffer_size", limits.max_buffer_size,
                   least_above(limits.max_buffer_size, with_limit));
  }
  return too_few("memory_cap", cap, least_above(cap, [&](std::uint64_t bytes) {
                   return cut(problem, limits, bytes).has_value();
                 }));
}

Panel panel_at(const Problem& problem, const Streaming& streaming, std::uint64_t index) {
  const Panel& first = streaming.first;
  Panel panel;
  // Takes off the index what numbers the ranges of `size` things, `step` each.
  const auto next_range = [&](std::uint64_t size, std::uint64_t step, std::uint64_t& start,
                              std::uint64_t& length) {
    const std::uint64_t ranges = ranges_of(size, step);
    start = index % ranges * step;
    length = std::min(step, size - start);
    index /= ranges;
  };
  next_range(problem.k, first.depth, panel.k0, panel.depth);
  next_range(problem.n, first.cols, panel.col0, panel.cols);
  next_range(problem.m, first.rows, panel.row0, panel.rows);
  next_range(problem.batch.count(), first.batch, panel.batch0, panel.batch);
  panel.first_k = panel.k0 == 0;
  panel.last_k = panel.k0 + panel.depth >= problem.k;
  return panel;
}

PlanOptions panel_options(PlanOptions options, const Streaming& streaming) {
  const std::uint64_t cap = streaming.scratch_cap;
  if (cap != 0 && (options.scratch_cap == 0 || options.scratch_cap > cap)) {
    options.scratch_cap = cap;
  }
  return options;
}

}  // namespace wgemm
