// Panels of products that are larger than a device's memory, and the parts of the operands that they take.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/streaming/panels.hpp"
#include "core/streaming/parts.hpp"
#include "tests/core/devices.hpp"

namespace wgemm {
namespace {

Problem sized(std::uint64_t m, std::uint64_t n, std::uint64_t k) { return testing::problem(m, n, k); }

std::vector<Panel> all_panels(const Problem& problem, const Streaming& streaming) {
  std::vector<Panel> panels;
  panels.reserve(streaming.count);
  for (std::uint64_t i = 0; i < streaming.count; ++i) panels.push_back(panel_at(problem, streaming, i));
  return panels;
}

/// Each element of C, with each k, is in one panel; a panel with its second set of inputs keeps to the cap.
void expect_cover(const Problem& problem, std::uint64_t cap) {
  SCOPED_TRACE(describe(problem) + " within " + std::to_string(cap));
  const auto streaming = plan_streaming(problem, Limits{}, cap);
  ASSERT_TRUE(streaming) << streaming.error().message;
  double products = 0;
  const Panel* before = nullptr;
  const auto panels = all_panels(problem, *streaming);
  for (const Panel& panel : panels) {
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

/// The value that the error's message says would do.
std::uint64_t value_that_would_do(const Error& error) {
  const auto at = error.message.rfind("; ");
  return at == std::string::npos ? 0 : std::strtoull(error.message.c_str() + at + 2, nullptr, 10);
}

/// A cap that is too small is an error that names it, and the least one that is not.
void expect_too_small(const Problem& problem, const Limits& limits, std::uint64_t cap) {
  SCOPED_TRACE(describe(problem) + " within " + std::to_string(cap));
  const auto streaming = plan_streaming(problem, limits, cap);
  ASSERT_FALSE(streaming);
  EXPECT_EQ(streaming.error().code, ErrorCode::unsupported);
  EXPECT_EQ(streaming.error().argument, "memory_cap");
  EXPECT_EQ(streaming.error().message.find("memory_cap = " + std::to_string(cap) + " "), 0U);
  const auto least = value_that_would_do(streaming.error());
  const auto enough = plan_streaming(problem, limits, least);
  ASSERT_TRUE(enough) << streaming.error().message;
  EXPECT_LE(enough->count, kMostPanels);
  EXPECT_FALSE(plan_streaming(problem, limits, least - 1)) << least;
}

TEST(Panels, ACapThatHoldsNothingIsAnError) { expect_too_small(sized(100, 100, 100), Limits{}, 16); }

TEST(Panels, SoIsOneThatMakesTooMany) {
  expect_too_small(sized(100'000, 100'000, 100'000), Limits{}, 65536);
  Limits large;
  large.max_buffer_size = std::uint64_t{1} << 60U;
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 29U;
  expect_too_small(sized(kHuge, kHuge, kHuge), large, std::uint64_t{1} << 30U);
  Problem batch = sized(64, 64, 64);
  batch.batch.rank = 2;
  batch.batch.extents = {40'000, 100'000};
  batch.batch.a = {409'600'000, 4096};
  batch.batch.c = {409'600'000, 4096};
  expect_too_small(batch, Limits{}, 1 << 20);
}

TEST(Panels, JustAsManyAsMayBe) {
  constexpr std::uint64_t kCap = 120'000;
  Problem batch = sized(64, 64, 64);  // one product within the cap, two above it
  batch.batch.rank = 1;
  batch.batch.extents = {kMostPanels};
  batch.batch.a = batch.batch.b = batch.batch.c = {4096};
  const auto most = plan_streaming(batch, Limits{}, kCap);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->count, kMostPanels);
  EXPECT_EQ(panel_at(batch, *most, kMostPanels - 1).batch0, kMostPanels - 1);
  ++batch.batch.extents[0];
  expect_too_small(batch, Limits{}, kCap);
}

TEST(Panels, SoIsALimitThatHoldsTooLittle) {
  for (const auto& [problem, bytes] :
       {std::pair{sized(100, 100, 100), 8}, {sized(100'000, 100'000, 100'000), 65536}}) {
    for (const std::uint64_t cap : {std::uint64_t{0}, std::uint64_t{10'000}}) {
      Limits limits;
      limits.max_buffer_size = bytes;
      const auto streaming = plan_streaming(problem, limits, cap);
      ASSERT_FALSE(streaming);
      EXPECT_EQ(streaming.error().code, ErrorCode::unsupported);
      EXPECT_EQ(streaming.error().argument, "max_buffer_size");
      limits.max_buffer_size = value_that_would_do(streaming.error());
      EXPECT_TRUE(plan_streaming(problem, limits, 0)) << streaming.error().message;
      --limits.max_buffer_size;
      EXPECT_FALSE(plan_streaming(problem, limits, 0)) << streaming.error().message;
    }
  }
}

TEST(Panels, OfNothingThereIsNone) {
  for (const auto& problem : {sized(0, 300, 300), sized(300, 0, 300)}) {
    const auto streaming = plan_streaming(problem, Limits{}, 4096);
    ASSERT_TRUE(streaming);
    EXPECT_EQ(streaming->count, 0U);
  }
  const auto zeros = plan_streaming(sized(300, 300, 0), Limits{}, 4096);
  ASSERT_TRUE(zeros);
  EXPECT_GT(zeros->count, 1U);
  EXPECT_TRUE(zeros->first.first_k && zeros->first.last_k);
}

TEST(Panels, AHugeBatchThatSharesAMatrixIsCutAtOnce) {
  Problem batch = sized(1, 1, 1);
  batch.batch.rank = 2;
  batch.batch.extents = {60'000, 60'000};
  batch.batch.c = {60'000, 1};
  const auto streaming = plan_streaming(batch, Limits{}, 1 << 20);
  ASSERT_TRUE(streaming);
  const Panel last = panel_at(batch, *streaming, streaming->count - 1);
  EXPECT_EQ(last.batch0 + last.batch, batch.batch.count());
  EXPECT_EQ(panel_problem(batch, last, streaming->c_type).batch.a[0], 0U);
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
  ASSERT_GT(streaming->count, 1U);
  for (const Panel& panel : all_panels(whole, *streaming)) {
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
  const Part a = part_of(batch, streaming->first, streaming->c_type, BufferRole::a);
  ASSERT_EQ(a.copies.size(), 1U);
  EXPECT_EQ(a.copies.front().matrices, streaming->first.batch);
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
