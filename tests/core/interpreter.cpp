#include "tests/core/interpreter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "core/kernels/kernel.hpp"
#include "core/planning/emit.hpp"
#include "core/planning/variant.hpp"
#include "tests/core/step_memory.hpp"

namespace wgemm::testing {
namespace {

struct Starts {
  std::uint64_t a, b, c, residual;
};

/// Where matrix `name` of a product of the batch starts.
std::uint64_t start_of(const std::string& name, const Words& words, std::uint64_t product, Memory& memory) {
  auto start = words.at("offset_" + name);
  const auto stride_of = "stride_" + name;
  std::size_t rank = 0;
  while (words.has("extent" + std::to_string(rank))) ++rank;
  for (auto d = rank; d-- > 0;) {
    const auto digit = std::to_string(d);
    const auto extent = std::max<std::uint64_t>(words.at("extent" + digit), 1);
    const auto index = product % extent;
    product /= extent;
    start += index * words.at(stride_of + digit);
    const auto place = words.at("table_" + name);
    if (d == 0 && place != 0) {
      start += std::bit_cast<std::uint32_t>(memory.at(planning::kTableBinding, 4 * index + place - 1));
    }
  }
  return start;
}

Starts starts_of(const Words& words, std::uint64_t product, Memory& memory) {
  return {start_of("a", words, product, memory), start_of("b", words, product, memory),
          start_of("c", words, product, memory), start_of("residual", words, product, memory)};
}

bool says(const std::string& label, std::string_view word) {
  return (label + ".").find("." + std::string(word) + ".") != std::string::npos;
}

/// The epilogue and the store of an element.
class Finish {
 public:
  Finish(Memory& memory, const Words& words, const std::string& label)
      : memory_(memory),
        by_column_(says(label, "by-column")),
        scaled_(words.has("alpha")),
        beta_(says(label, "beta")),
        bias_row_(says(label, "bias-row-f32")),
        bias_column_(says(label, "bias-column-f32")),
        relu_(says(label, "relu")),
        clamp_(words.has("lower")),
        residual_row_(says(label, "residual-r-f32")),
        residual_column_(says(label, "residual-c-f32")),
        ldc_(words.at("ldc")),
        ld_residual_(words.at("ld_residual")),
        offset_bias_(words.at("offset_bias")),
        alpha_(words.real("alpha")),
        factor_(words.real("beta")),
        lower_(words.real("lower")),
        upper_(words.real("upper")) {}

  void operator()(const Starts& starts, std::uint64_t row, std::uint64_t col, float sum) const {
    const auto index = starts.c + (by_column_ ? col * ldc_ + row : row * ldc_ + col);
    float value = scaled_ ? sum * alpha_ : sum;
    if (beta_) value += factor_ * memory_.at(2, index);
    if (bias_row_) value += memory_.at(4, offset_bias_ + row);
    if (bias_column_) value += memory_.at(4, offset_bias_ + col);
    if (relu_) value = std::max(value, 0.0F);
    if (clamp_) value = std::clamp(value, lower_, upper_);
    if (residual_row_) value += memory_.at(5, starts.residual + row * ld_residual_ + col);
    if (residual_column_) value += memory_.at(5, starts.residual + col * ld_residual_ + row);
    if (!memory_.write_once(2, index)) ADD_FAILURE() << "C(" << row << ", " << col << ") is written twice";
    memory_.at(2, index) = value;
  }

 private:
  Memory& memory_;
  bool by_column_, scaled_, beta_, bias_row_, bias_column_, relu_, clamp_, residual_row_, residual_column_;
  std::uint64_t ldc_, ld_residual_, offset_bias_;
  float alpha_, factor_, lower_, upper_;
};

struct Block {
  std::uint64_t rows, cols;
  bool rows_along_x;
};

/// Calls visit(product, row, col) for each element that the dispatch's workgroups stand for.
template <typename Visit>
void for_each_element(const Dispatch& dispatch, const Words& words, const Block& block, std::uint64_t rows,
                      std::uint64_t cols, const Visit& visit) {
  for (std::uint64_t z = 0; z < dispatch.workgroups[2]; ++z) {
    for (std::uint64_t gy = 0; gy < dispatch.workgroups[1]; ++gy) {
      for (std::uint64_t gx = 0; gx < dispatch.workgroups[0]; ++gx) {
        auto x = gx + words.at("group_x");
        auto y = gy + words.at("group_y");
        if (block.rows_along_x) std::swap(x, y);
        for (auto row = y * block.rows; row < std::min(rows, (y + 1) * block.rows); ++row) {
          for (auto col = x * block.cols; col < std::min(cols, (x + 1) * block.cols); ++col) {
            visit(z + words.at("batch0"), row, col);
          }
        }
      }
    }
  }
}

/// The starts of a product's matrices, looked up once for all elements of a product that follow each other.
class StartsOfProducts {
 public:
  StartsOfProducts(const Words& words, Memory& memory) : words_(words), memory_(memory) {}
  const Starts& of(std::uint64_t product) {
    if (product != product_) starts_ = starts_of(words_, product, memory_);
    product_ = product;
    return starts_;
  }

 private:
  const Words& words_;
  Memory& memory_;
  std::uint64_t product_ = ~std::uint64_t{0};
  Starts starts_{};
};

void multiply(const Shader& shader, const Block& block, const Dispatch& dispatch, const Words& words,
              Memory& memory) {
  // "register-tile_BM64.rc.f32...": the orders of A and B.
  const auto dot = shader.label.find('.');
  const bool a_by_row = shader.label.at(dot + 1) == 'r';
  const bool b_by_row = shader.label.at(dot + 2) == 'r';
  const auto lda = words.at("lda");
  const auto ldb = words.at("ldb");
  const auto depth = words.at("k");
  const Finish finish(memory, words, shader.label);
  StartsOfProducts products(words, memory);
  for_each_element(dispatch, words, block, words.at("m"), words.at("n"),
                   [&](auto product, auto row, auto col) {
                     const auto& starts = products.of(product);
                     float sum = 0;
                     for (std::uint64_t k = 0; k < depth; ++k) {
                       sum += memory.at(0, starts.a + (a_by_row ? row * lda + k : k * lda + row)) *
                              memory.at(1, starts.b + (b_by_row ? k * ldb + col : col * ldb + k));
                     }
                     finish(starts, row, col, sum);
                   });
}

void reduce(const Shader& shader, const Dispatch& dispatch, const Words& words, Memory& memory) {
  const auto parts = words.at("parts");
  // "reduce.rr...", "reduce8.rr...": the invocations that share an element.
  const bool shared = shader.label.starts_with("reduce8.");
  const Block block{shared ? 1U : 4U, shared ? 32U : 64U, false};
  const auto stride = words.at("part_stride");
  const auto lda = words.at("lda");
  const Finish finish(memory, words, shader.label);
  StartsOfProducts products(words, memory);
  for_each_element(dispatch, words, block, words.at("m"), words.at("n"),
                   [&](auto product, auto row, auto col) {
                     const auto& starts = products.of(product);
                     float sum = 0;
                     for (std::uint64_t part = 0; part < parts; ++part) {
                       sum += memory.at(0, starts.a + part * stride + row * lda + col);
                     }
                     finish(starts, row, col, sum);
                   });
}

/// "pack.rc.f32.f32": the orders of both.
void copy(const Shader& shader, const Dispatch& dispatch, const Words& words, Memory& memory) {
  const bool from_row = shader.label.at(5) == 'r';
  const bool to_row = shader.label.at(6) == 'r';
  const auto rows = words.at("rows");
  const auto cols = words.at("cols");
  const auto src_ld = words.at("ldsrc");
  const auto dst_ld = words.at("dst_ld");
  const auto dst_stride = words.at("dst_stride");
  std::uint64_t of = ~std::uint64_t{0};
  std::uint64_t from = 0;
  const Block block{!from_row && !to_row ? 64U : 16U, from_row && to_row ? 64U : 16U, false};
  for_each_element(dispatch, words, block, words.at("dst_rows"), words.at("dst_cols"),
                   [&](auto matrix, auto row, auto col) {
                     if (matrix != of) from = start_of("src", words, matrix, memory);
                     of = matrix;
                     const auto to = matrix * dst_stride + (to_row ? row * dst_ld + col : col * dst_ld + row);
                     if (!memory.write_once(1, to))
                       ADD_FAILURE() << "element " << to << " of a copy is written twice";
                     const bool inside = row < rows && col < cols;
                     memory.at(1, to) =
                         inside ? memory.at(0, from + (from_row ? row * src_ld + col : col * src_ld + row))
                                : 0.0F;
                   });
}

}  // namespace

void interpret(const Plan& plan, const Limits& limits, Buffers& buffers) {
  buffers.resize(plan.buffers.size());
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const auto& buffer = plan.buffers[i];
    EXPECT_LE(buffer.bytes, limits.max_buffer_size);
    if (static_cast<std::size_t>(buffer.role) >= kCallerBuffers) {
      buffers[i].assign(buffer.bytes / 4, std::numeric_limits<float>::quiet_NaN());
      for (std::size_t word = 0; word < buffer.words.size(); ++word) {
        buffers[i][word] = std::bit_cast<float>(buffer.words[word]);
      }
    }
    ASSERT_GE(buffers[i].size(), buffer.bytes / 4);
  }
  const auto kernel = kernels::parse(plan.kernel).value();
  const auto figures = kernels::geometry(kernel, plan.problem.a.type).value();
  const Block block{figures.block_m, figures.block_n, kernel.family->grid == kernels::Grid::rows_along_x};
  for (const auto& step : plan.steps) {
    const auto& shader = plan.shaders.at(step.shader);
    const auto fields = fields_of(shader.wgsl);
    Memory memory(plan, step, limits, buffers);
    for (const auto& dispatch : step.dispatches) {
      for (const auto count : dispatch.workgroups) {
        EXPECT_GE(count, 1U);
        EXPECT_LE(count, limits.max_compute_workgroups_per_dimension);
      }
      const Words words(fields, dispatch.uniforms);
      switch (step.kind) {
        case StepKind::multiply:
          multiply(shader, block, dispatch, words, memory);
          break;
        case StepKind::reduce:
          reduce(shader, dispatch, words, memory);
          break;
        case StepKind::transpose:
        case StepKind::pad:
          copy(shader, dispatch, words, memory);
          break;
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace wgemm::testing
