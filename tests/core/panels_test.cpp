// Panels of products that are larger than a device's memory, and the parts of the operands that they take.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "core/streaming/panels.hpp"
#include "core/streaming/parts.hpp"
#include "tests/core/devices.hpp"

namespace wgemm {
namespace {

Problem sized(std::uint64_t m, std::uint64_t n, std::uint64_t k) { return testing::problem(m, n, k); }

/// Each element of C, with each k, is in one panel; a panel with its second set of inputs keeps to the cap.
void expect_cover(const Problem& problem, std::uint64_t cap) {
  SCOPED_TRACE(describe(problem) + " within " + std::to_string(cap));
  const auto streaming = plan_streaming(problem, Limits{}, cap);
  ASSERT_TRUE(streaming) << streaming.error().message;
  double products = 0;
  const Panel* before = nullptr;
  for (const Panel& panel : streaming->panels) {
    products += static_cast<double>(panel.batch) * static_cast<double>(panel.rows) *
                static_cast<double>(panel.cols) * static_cast<double>(panel.depth);
    Panel all = panel;
    all.first_k = all.last_k = true;
    const Problem part = panel_problem(problem, all, streaming->c_type);
    const std::uint64_t inputs = buffer_bytes(part, Matrix::a) + buffer_bytes(part, Matrix::b) +
                                 scales_bytes(part) + zeros_bytes(part);
    EXPECT_LE(operand_bytes(part) + inputs, cap);
    EXPECT_EQ(panel.first_k, panel.k0 == 0);
    EXPECT_EQ(panel.last_k, panel.k0 + panel.depth == problem.k);
    if (!panel.first_k) {
      ASSERT_NE(before, nullptr);
      EXPECT_EQ(before->k0 + before->depth, panel.k0) << "panels of one C follow each other";
      EXPECT_EQ(before->row0, panel.row0);
      EXPECT_EQ(before->col0, panel.col0);
      EXPECT_EQ(before->batch0, panel.batch0);
    }
    before = &panel;
  }
  EXPECT_EQ(products, problem.flops() / 2);
}

TEST(Panels, CoverTheProductWithinTheCap) {
  for (const std::uint64_t cap : {1U << 14U, 1U << 17U, 1U << 20U}) {
    expect_cover(sized(300, 200, 500), cap);
    expect_cover(sized(1, 1000, 3000), cap);
    expect_cover(sized(2000, 3, 100), cap);
    expect_cover(sized(1, 1, 200000), cap);
    Problem batch = sized(20, 30, 40);
    batch.batch.rank = 2;
    batch.batch.extents = {5, 7};
    batch.batch.a = {5600, 800};
    batch.batch.c = {4200, 600};
    batch.epilogue.add_residual = true;
    batch.epilogue.bias = Bias::per_row;
    expect_cover(batch, cap);
    Problem half = sized(300, 200, 500);
    half.a.type = half.b.type = half.c.type = DataType::f16;
    expect_cover(half, cap);
    Problem weights = sized(300, 200, 500);
    weights.b = {DataType::u4, Order::col_major, 0};
    weights.quantization = {32, DataType::f16, true};
    expect_cover(weights, cap);
  }
}

TEST(Panels, ACapThatHoldsNothingIsAnError) {
  const auto streaming = plan_streaming(sized(100, 100, 100), Limits{}, 16);
  ASSERT_FALSE(streaming);
  EXPECT_EQ(streaming.error().code, ErrorCode::unsupported);
  EXPECT_EQ(streaming.error().argument, "memory_cap");
}

TEST(Panels, SoIsALimitThatHoldsNothing) {
  Limits limits;
  limits.max_buffer_size = 8;
  const auto streaming = plan_streaming(sized(100, 100, 100), limits, 0);
  ASSERT_FALSE(streaming);
  EXPECT_EQ(streaming.error().code, ErrorCode::unsupported);
  EXPECT_EQ(streaming.error().argument, "max_buffer_size");
}

TEST(Panels, AreWantedWhereABufferOrTheCapIsTooSmall) {
  Limits limits;
  EXPECT_FALSE(must_stream(sized(1000, 1000, 1000), limits, 0));
  EXPECT_FALSE(must_stream(sized(1000, 1000, 1000), limits, 12000000));
  EXPECT_TRUE(must_stream(sized(1000, 1000, 1000), limits, 11999999));
  limits.max_buffer_size = 3999999;
  EXPECT_TRUE(must_stream(sized(1000, 1000, 1000), limits, 0));
}

using Elements = std::map<std::uint64_t, std::uint64_t>;  ///< the panel's to the caller's

Elements elements_of(const Part& part) {
  Elements result;
  for (const auto& copy : part.copies) {
    for (std::uint64_t matrix = 0; matrix < copy.matrices; ++matrix) {
      for (std::uint64_t line = 0; line < copy.lines; ++line) {
        for (std::uint64_t i = 0; i < copy.length; ++i) {
          const auto place = [&](const Spacing& spacing) {
            return spacing.start + matrix * spacing.matrix + line * spacing.line + i;
          };
          EXPECT_TRUE(result.try_emplace(place(copy.panel), place(copy.caller)).second) << "copied twice";
        }
      }
    }
  }
  return result;
}

/// Index of element (row, col) of op(matrix) of a product.
std::uint64_t index_of(const Problem& problem, Matrix matrix, std::uint64_t product, std::uint64_t row,
                       std::uint64_t col) {
  if (is_transposed(problem, matrix)) std::swap(row, col);
  const std::uint64_t ld = leading_dimension(problem, matrix);
  const bool by_row = layout_of(problem, matrix).order == Order::row_major;
  return first_element(problem, matrix, product) + (by_row ? row * ld + col : col * ld + row);
}

/// What each element of the panel's matrix is to be, one by one.
Elements expected_of(const Problem& whole, const Problem& problem, const Panel& panel, Matrix matrix) {
  Elements result;
  const std::uint64_t row0 = matrix == Matrix::b ? panel.k0 : panel.row0;
  const std::uint64_t col0 = matrix == Matrix::a ? panel.k0 : panel.col0;
  for (std::uint64_t product = 0; product < panel.batch; ++product) {
    for (std::uint64_t row = 0; row < (matrix == Matrix::b ? panel.depth : panel.rows); ++row) {
      for (std::uint64_t col = 0; col < (matrix == Matrix::a ? panel.depth : panel.cols); ++col) {
        result[index_of(problem, matrix, product, row, col)] =
            index_of(whole, matrix, panel.batch0 + product, row0 + row, col0 + col);
      }
    }
  }
  return result;
}

void expect_parts(const Problem& whole, std::uint64_t cap) {
  SCOPED_TRACE(describe(whole));
  const auto streaming = plan_streaming(whole, Limits{}, cap);
  ASSERT_TRUE(streaming) << streaming.error().message;
  ASSERT_GT(streaming->panels.size(), 1U);
  for (const Panel& panel : streaming->panels) {
    Panel last = panel;
    last.last_k = true;
    const Problem problem = panel_problem(whole, last, streaming->c_type);
    for (const auto& [role, matrix] : {std::pair{BufferRole::a, Matrix::a},
                                      {BufferRole::b, Matrix::b},
                                      {BufferRole::c, Matrix::c},
                                      {BufferRole::residual, Matrix::residual}}) {
      if (matrix == Matrix::residual && !whole.epilogue.add_residual) continue;
      const Part part = part_of(whole, panel, streaming->c_type, role);
      EXPECT_EQ(part.role, role);
      EXPECT_EQ(part.bytes, buffer_bytes(problem, matrix));
      EXPECT_EQ(elements_of(part), expected_of(whole, problem, panel, matrix));
    }
  }
}

TEST(Parts, HoldTheElementsOfThePanel) {
  Problem plain = sized(90, 70, 300);
  plain.b = {DataType::f32, Order::col_major, 0, 7};
  plain.c.order = Order::col_major;
  plain.trans_a = plain.trans_b = Transpose::transpose;
  plain.a.ld = 95;
  expect_parts(plain, 60000);

  Problem half = sized(70, 60, 600);
  half.a.type = half.b.type = half.c.type = half.epilogue.residual.type = DataType::f16;
  half.epilogue.add_residual = true;
  half.epilogue.residual.ld = 64;
  expect_parts(half, 60000);

  Problem batch = sized(8, 6, 16);
  batch.batch.rank = 2;
  batch.batch.extents = {5, 7};
  batch.batch.a = {0, 130};
  batch.batch.b = {96, 0};
  batch.batch.c = {350, 50};
  expect_parts(batch, 6000);

  Problem table = sized(8, 6, 16);
  for (std::uint64_t i = 0; i < 20; ++i) table.batch.table.push_back({(i * 7 % 20) * 128, 0, i * 48, 0});
  expect_parts(table, 6000);
}

TEST(Parts, BatchesInStepAreOneCopy) {
  Problem batch = sized(8, 6, 16);
  batch.batch.rank = 1;
  batch.batch.extents = {1000};
  batch.batch.a = {128};
  batch.batch.c = {48};
  const auto streaming = plan_streaming(batch, Limits{}, 100000);
  ASSERT_TRUE(streaming);
  const Part a = part_of(batch, streaming->panels.front(), streaming->c_type, BufferRole::a);
  ASSERT_EQ(a.copies.size(), 1U);
  EXPECT_EQ(a.copies.front().matrices, streaming->panels.front().batch);
}

TEST(Parts, ScalesAndZerosGoWithTheBlocks) {
  Problem weights = sized(3, 10, 200);
  weights.b = {DataType::u4, Order::col_major, 0};
  weights.quantization = {32, DataType::f16, true};  // 7 blocks, 4 bytes of zero points for each column
  const Panel panel{0, 1, 0, 3, 4, 5, 64, 100, false, false};
  const Part scales = part_of(weights, panel, DataType::f32, BufferRole::scales);
  EXPECT_EQ(scales.bytes, 5U * 4 * 2);
  Elements expected;
  for (std::uint64_t col = 0; col < 5; ++col) {
    for (std::uint64_t block = 0; block < 4; ++block) expected[col * 4 + block] = (4 + col) * 7 + 2 + block;
  }
  EXPECT_EQ(elements_of(scales), expected);
  const Part zeros = part_of(weights, panel, DataType::f32, BufferRole::zeros);
  EXPECT_EQ(zeros.bytes, 5U * 2);
  expected.clear();
  for (std::uint64_t col = 0; col < 5; ++col) {
    for (std::uint64_t block = 0; block < 4; ++block) expected[col * 4 + block] = (4 + col) * 8 + 2 + block;
  }
  EXPECT_EQ(elements_of(zeros), expected);
}

TEST(Parts, WhatTheProblemHasNotIsEmpty) {
  const Problem plain = sized(30, 20, 10);
  const Panel panel{0, 1, 0, 30, 0, 20, 0, 10, true, true};
  for (const auto role : {BufferRole::bias, BufferRole::residual, BufferRole::scales, BufferRole::zeros}) {
    const Part part = part_of(plain, panel, DataType::f32, role);
    EXPECT_EQ(part.bytes, 0U);
    EXPECT_TRUE(part.copies.empty());
  }
}

}  // namespace
}  // namespace wgemm
