#include "native/stream/panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/round_up.hpp"

namespace wgemm::native {

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
    const std::uint64_t stride = layout.ld * (by_row ? shape.rows : shape.cols);
    strides_of(result.batch, matrix)[0] = panel.batch > 1 && !is_shared(problem, matrix, panel) ? stride : 0;
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
    const Bytes bytes = bytes_of(panel_problem(problem, panel, streaming.c_type));
    if (2 * bytes.inputs + bytes.outputs <= room && bytes.largest <= limits.max_buffer_size) {
      break;
    }
    if (!shrink(panel, bytes, unit)) {
      return fail(ErrorCode::unsupported, "memory_cap",
                  fmt::format("{} cannot be multiplied within {} bytes, not even element by element",
                              describe(problem), cap));
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

}  // namespace wgemm::native
