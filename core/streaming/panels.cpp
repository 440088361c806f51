#include "core/streaming/panels.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/round_up.hpp"

namespace wgemm {

namespace {

/// Panels thinner than this make more copying than multiplying.
constexpr std::uint64_t kDepth = 256;
constexpr std::uint64_t kEdge = 64;

/// Products whose matrices are all the same one: a stride of 0.
bool is_shared(const Problem& problem, Matrix matrix, const Panel& panel) {
  const std::uint64_t first = first_element(problem, matrix, panel.batch0);
  for (std::uint64_t i = 1; i < panel.batch; ++i) {
    if (first_element(problem, matrix, panel.batch0 + i) != first) {
      return false;
    }
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
    const bool shared = panel.batch <= 1 || is_shared(problem, matrix, panel);
    strides_of(result.batch, matrix)[0] = shared ? 0 : tight_stride(result, matrix);
  }
  return result;
}

Result<Streaming> plan_streaming(const Problem& problem, const Limits& limits, std::uint64_t cap) {
  Streaming streaming;
  const std::uint64_t unit = depth_unit(problem);
  Panel panel{0, problem.batch.count(), 0, problem.m, 0, problem.n, 0, problem.k};
  // A quarter of the cap is for what the plans need beside the matrices.
  const std::uint64_t room = cap != 0 ? cap - cap / 4 : ~std::uint64_t{0};
  streaming.scratch_cap = cap / 16;
  while (true) {
    panel.last_k = true;
    streaming.c_type = device_c_type(problem, panel.depth);
    const Bytes bytes = bytes_of(largest_panel(problem, panel, streaming.c_type));
    if (2 * bytes.inputs + bytes.outputs <= room && bytes.largest <= limits.max_buffer_size) {
      break;
    }
    if (!shrink(panel, bytes, unit)) {
      const bool by_limit = bytes.largest > limits.max_buffer_size;
      return fail(ErrorCode::unsupported, by_limit ? "max_buffer_size" : "memory_cap",
                  describe(problem) + " cannot be multiplied within " +
                      std::to_string(by_limit ? limits.max_buffer_size : cap) + " bytes" +
                      (by_limit ? " a buffer" : "") + ", not even element by element");
    }
  }
  for (std::uint64_t batch = 0; batch < problem.batch.count(); batch += panel.batch) {
    for (std::uint64_t row = 0; row < problem.m; row += panel.rows) {
      for (std::uint64_t col = 0; col < problem.n; col += panel.cols) {
        for (std::uint64_t k = 0; k == 0 || k < problem.k; k += panel.depth) {
          streaming.panels.push_back(
              {batch, std::min(panel.batch, problem.batch.count() - batch), row,
               std::min(panel.rows, problem.m - row), col, std::min(panel.cols, problem.n - col), k,
               std::min(panel.depth, problem.k - k), k == 0, k + panel.depth >= problem.k});
          if (panel.depth == 0) {
            break;
          }
        }
      }
    }
  }
  return streaming;
}

PlanOptions panel_options(PlanOptions options, const Streaming& streaming) {
  const std::uint64_t cap = streaming.scratch_cap;
  if (cap != 0 && (options.scratch_cap == 0 || options.scratch_cap > cap)) {
    options.scratch_cap = cap;
  }
  return options;
}

}  // namespace wgemm
