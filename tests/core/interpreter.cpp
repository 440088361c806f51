#include "tests/core/interpreter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/kernels/kernel.hpp"
#include "core/planning/emit.hpp"
#include "core/planning/variant.hpp"

namespace wgemm::testing {
namespace {

/// Names of the fields of a text's uniform block, in order.
std::map<std::string, std::size_t> fields_of(const std::string& wgsl) {
  std::map<std::string, std::size_t> fields;
  const auto start = wgsl.find("struct Dims {") + 13;
  auto body = wgsl.substr(start, wgsl.find("\n}", start) - start);
  for (auto at = body.find("//"); at != std::string::npos; at = body.find("//")) {
    body.erase(at, body.find('\n', at) - at);
  }
  for (auto colon = body.find(':'); colon != std::string::npos; colon = body.find(':', colon + 1)) {
    const auto before = body.find_last_of(" \n,{", colon - 1);
    fields.emplace(body.substr(before + 1, colon - before - 1), fields.size());
  }
  return fields;
}

class Words {
 public:
  Words(const std::map<std::string, std::size_t>& fields, const std::vector<std::uint32_t>& words)
      : fields_(fields), words_(words) {
    EXPECT_EQ(fields.size(), words.size()) << "the uniform block has another size than the text's struct";
  }
  [[nodiscard]] bool has(const std::string& name) const { return fields_.contains(name); }
  [[nodiscard]] std::uint64_t at(const std::string& name) const {
    return has(name) ? words_.at(fields_.at(name)) : 0;
  }
  [[nodiscard]] float real(const std::string& name) const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(at(name)));
  }

 private:
  const std::map<std::string, std::size_t>& fields_;
  const std::vector<std::uint32_t>& words_;
};

/// What a step binds, each access checked against the range.
class Memory {
 public:
  Memory(const Plan& plan, const Step& step, const Limits& limits, Buffers& buffers) {
    for (const auto& binding : step.bindings) {
      const auto bytes = bound_bytes(plan, binding);
      EXPECT_EQ(binding.offset % limits.min_storage_buffer_offset_alignment, 0U);
      EXPECT_EQ(bytes % 4, 0U);
      EXPECT_GT(bytes, 0U);
      EXPECT_LE(bytes, limits.max_storage_buffer_binding_size);
      EXPECT_LE(binding.offset + bytes, plan.buffers.at(binding.buffer).bytes);
      auto& range = ranges_.at(binding.index);
      range.elements = std::span(buffers.at(binding.buffer)).subspan(binding.offset / 4, bytes / 4);
      if (binding.writable) range.written.resize(bytes / 4);
    }
  }
  float& at(std::uint32_t binding, std::uint64_t index) {
    static float outside = 0;
    auto& elements = ranges_.at(binding).elements;
    if (index < elements.size()) return elements[index];
    ADD_FAILURE() << "element " << index << " of binding " << binding << " is outside";
    return outside;
  }
  /// Notes a write; false if the step wrote there before.
  bool write_once(std::uint32_t binding, std::uint64_t index) {
    auto& written = ranges_.at(binding).written;
    if (index >= written.size() || written[index]) return false;
    written[index] = true;
    return true;
  }

 private:
  struct Range {
    std::span<float> elements;
    std::vector<bool> written;
  };
  std::array<Range, 16> ranges_;
};

struct Starts {
  std::uint64_t a, b, c, residual;
};

Starts starts_of(const Words& words, std::uint64_t product, Memory& memory) {
  Starts starts{words.at("offset_a"), words.at("offset_b"), words.at("offset_c"),
                words.at("offset_residual")};
  std::size_t rank = 0;
  while (words.has("extent" + std::to_string(rank))) ++rank;
  for (auto d = rank; d-- > 0;) {
    const auto digit = std::to_string(d);
    const auto extent = std::max<std::uint64_t>(words.at("extent" + digit), 1);
    const auto index = product % extent;
    product /= extent;
    starts.a += index * words.at("stride_a" + digit);
    starts.b += index * words.at("stride_b" + digit);
    starts.c += index * words.at("stride_c" + digit);
    starts.residual += index * words.at("stride_residual" + digit);
    if (d != 0 || !words.has("table_a")) continue;
    const auto entry = [&](const std::string& of) {
      const auto place = words.at("table_" + of);
      if (place == 0) return std::uint64_t{0};
      return std::uint64_t{
          std::bit_cast<std::uint32_t>(memory.at(planning::kTableBinding, 4 * index + place - 1))};
    };
    starts.a += entry("a");
    starts.b += entry("b");
    starts.c += entry("c");
    starts.residual += entry("residual");
  }
  return starts;
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
  const Block block{planning::kReduceRows, planning::kReduceColumns, false};
  const auto parts = words.at("parts");
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

/// Where the matrix of that number starts that a copy reads.
std::uint64_t source_of(const Words& words, std::uint64_t matrix, Memory& memory) {
  auto from = words.at("offset_src");
  std::size_t rank = 0;
  while (words.has("extent" + std::to_string(rank))) ++rank;
  for (auto d = rank; d-- > 0;) {
    const auto digit = std::to_string(d);
    const auto extent = std::max<std::uint64_t>(words.at("extent" + digit), 1);
    const auto index = matrix % extent;
    matrix /= extent;
    from += index * words.at("stride_src" + digit);
    if (d == 0 && words.has("table_src")) {
      from += std::bit_cast<std::uint32_t>(
          memory.at(planning::kTableBinding, 4 * index + words.at("table_src") - 1));
    }
  }
  return from;
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
  for_each_element(dispatch, words, {16, 16, false}, words.at("dst_rows"), words.at("dst_cols"),
                   [&](auto matrix, auto row, auto col) {
                     if (matrix != of) from = source_of(words, matrix, memory);
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
