#include "tests/core/interpreter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>
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
  Memory(const Plan& plan, const Step& step, const Limits& limits, Buffers& buffers) : buffers_(buffers) {
    for (const auto& binding : step.bindings) {
      const auto bytes = bound_bytes(plan, binding);
      EXPECT_EQ(binding.offset % limits.min_storage_buffer_offset_alignment, 0U);
      EXPECT_EQ(bytes % 4, 0U);
      EXPECT_GT(bytes, 0U);
      EXPECT_LE(bytes, limits.max_storage_buffer_binding_size);
      EXPECT_LE(binding.offset + bytes, plan.buffers.at(binding.buffer).bytes);
      ranges_[binding.index] = {binding.buffer, binding.offset / 4, bytes / 4};
    }
  }
  float& at(std::uint32_t binding, std::uint64_t index) {
    static float outside = 0;
    const auto found = ranges_.find(binding);
    if (found == ranges_.end() || index >= found->second.count) {
      ADD_FAILURE() << "element " << index << " of binding " << binding << " is outside";
      return outside;
    }
    return buffers_.at(found->second.buffer).at(found->second.first + index);
  }
  /// Notes a write; false if the step wrote there before.
  bool write_once(std::uint32_t binding, std::uint64_t index) {
    return written_.emplace(binding, index).second;
  }

 private:
  struct Range {
    std::uint32_t buffer;
    std::uint64_t first;
    std::uint64_t count;
  };
  Buffers& buffers_;
  std::map<std::uint32_t, Range> ranges_;
  std::set<std::pair<std::uint32_t, std::uint64_t>> written_;
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
    const auto index = product % words.at("extent" + digit);
    product /= words.at("extent" + digit);
    starts.a += index * words.at("stride_a" + digit);
    starts.b += index * words.at("stride_b" + digit);
    starts.c += index * words.at("stride_c" + digit);
    starts.residual += index * words.at("stride_residual" + digit);
    if (d != 0 || !words.has("table_a")) continue;
    const auto entry = [&](std::string_view of, std::uint64_t word) {
      if (words.at("table_" + std::string(of)) == 0) return std::uint64_t{0};
      return std::uint64_t{
          std::bit_cast<std::uint32_t>(memory.at(planning::kTableBinding, 4 * index + word))};
    };
    starts.a += entry("a", 0);
    starts.b += entry("b", 1);
    starts.c += entry("c", 2);
    starts.residual += entry("residual", 3);
  }
  return starts;
}

bool says(const std::string& label, std::string_view word) {
  return (label + ".").find("." + std::string(word) + ".") != std::string::npos;
}

/// The epilogue and the store of one element.
void finish(Memory& memory, const Words& words, const std::string& label, const Starts& starts,
            std::uint64_t row, std::uint64_t col, float sum) {
  const auto ldc = words.at("ldc");
  const auto index = starts.c + (says(label, "by-column") ? col * ldc + row : row * ldc + col);
  float value = words.has("alpha") ? sum * words.real("alpha") : sum;
  if (says(label, "beta")) value += words.real("beta") * memory.at(2, index);
  if (says(label, "bias-row-f32")) value += memory.at(4, words.at("offset_bias") + row);
  if (says(label, "bias-column-f32")) value += memory.at(4, words.at("offset_bias") + col);
  if (says(label, "relu")) value = std::max(value, 0.0F);
  if (words.has("lower")) value = std::clamp(value, words.real("lower"), words.real("upper"));
  const auto ld = words.at("ld_residual");
  if (says(label, "residual-r-f32")) value += memory.at(5, starts.residual + row * ld + col);
  if (says(label, "residual-c-f32")) value += memory.at(5, starts.residual + col * ld + row);
  EXPECT_TRUE(memory.write_once(2, index)) << "C(" << row << ", " << col << ") is written twice";
  memory.at(2, index) = value;
}

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

void multiply(const Shader& shader, const Block& block, const Dispatch& dispatch, const Words& words,
              Memory& memory) {
  // "register-tile_BM64.rc.f32...": the orders of A and B.
  const auto dot = shader.label.find('.');
  const bool a_by_row = shader.label.at(dot + 1) == 'r';
  const bool b_by_row = shader.label.at(dot + 2) == 'r';
  const auto lda = words.at("lda");
  const auto ldb = words.at("ldb");
  for_each_element(dispatch, words, block, words.at("m"), words.at("n"),
                   [&](auto product, auto row, auto col) {
                     const auto starts = starts_of(words, product, memory);
                     float sum = 0;
                     for (std::uint64_t k = 0; k < words.at("k"); ++k) {
                       sum += memory.at(0, starts.a + (a_by_row ? row * lda + k : k * lda + row)) *
                              memory.at(1, starts.b + (b_by_row ? k * ldb + col : col * ldb + k));
                     }
                     finish(memory, words, shader.label, starts, row, col, sum);
                   });
}

void reduce(const Shader& shader, const Dispatch& dispatch, const Words& words, Memory& memory) {
  const Block block{planning::kReduceRows, planning::kReduceColumns, false};
  for_each_element(
      dispatch, words, block, words.at("m"), words.at("n"), [&](auto product, auto row, auto col) {
        const auto starts = starts_of(words, product, memory);
        float sum = 0;
        for (std::uint64_t part = 0; part < words.at("parts"); ++part) {
          sum += memory.at(0, starts.a + part * words.at("part_stride") + row * words.at("lda") + col);
        }
        finish(memory, words, shader.label, starts, row, col, sum);
      });
}

/// "pack.rc.f32.f32": the orders of both.
void copy(const Shader& shader, const Dispatch& dispatch, const Words& words, Memory& memory) {
  const bool from_row = shader.label.at(5) == 'r';
  const bool to_row = shader.label.at(6) == 'r';
  for_each_element(
      dispatch, words, {16, 16, false}, words.at("dst_rows"), words.at("dst_cols"),
      [&](auto matrix, auto row, auto col) {
        auto from = words.at("offset_src");
        auto rest = matrix;
        std::size_t rank = 0;
        while (words.has("extent" + std::to_string(rank))) ++rank;
        for (auto d = rank; d-- > 0;) {
          const auto digit = std::to_string(d);
          const auto index = rest % words.at("extent" + digit);
          from += index * words.at("stride_src" + digit);
          if (d == 0 && words.has("table_src")) {
            from += std::bit_cast<std::uint32_t>(
                memory.at(planning::kTableBinding, 4 * index + words.at("src_word")));
          }
          rest /= words.at("extent" + digit);
        }
        const auto src_ld = words.at("ldsrc");
        const auto dst_ld = words.at("dst_ld");
        const bool inside = row < words.at("rows") && col < words.at("cols");
        const auto to = matrix * words.at("dst_stride") + (to_row ? row * dst_ld + col : col * dst_ld + row);
        EXPECT_TRUE(memory.write_once(1, to));
        memory.at(1, to) =
            inside ? memory.at(0, from + (from_row ? row * src_ld + col : col * src_ld + row)) : 0.0F;
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
