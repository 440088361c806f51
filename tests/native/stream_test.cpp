// Panels of products that are larger than a device's memory.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "native/stream/half.hpp"
#include "native/stream/panels.hpp"

namespace wgemm::native {
namespace {

Problem sized(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  return problem;
}

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

TEST(Panels, AreWantedWhereABufferOrTheCapIsTooSmall) {
  Limits limits;
  EXPECT_FALSE(must_stream(sized(1000, 1000, 1000), limits, 0));
  EXPECT_FALSE(must_stream(sized(1000, 1000, 1000), limits, 12000000));
  EXPECT_TRUE(must_stream(sized(1000, 1000, 1000), limits, 11999999));
  limits.max_buffer_size = 3999999;
  EXPECT_TRUE(must_stream(sized(1000, 1000, 1000), limits, 0));
}

TEST(Half, EveryValueComesBackAndOthersRoundToTheNearest) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = half_to_float(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(half_to_float(float_to_half(value))));
      continue;
    }
    ASSERT_EQ(float_to_half(value), half) << bits;
    if (bits >= 0x7bffU) continue;
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const float middle = (value + half_to_float(next)) / 2;  // exact in f32
    ASSERT_EQ(float_to_half(middle), bits % 2 == 0 ? half : next) << bits << ": ties go to even";
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0F)), half) << bits;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 1e9F)), next) << bits;
  }
  EXPECT_EQ(half_to_float(0x3c00), 1.0F);
  EXPECT_EQ(half_to_float(0xc000), -2.0F);
  EXPECT_EQ(half_to_float(0x7bff), 65504.0F);
  EXPECT_EQ(half_to_float(1), 0x1p-24F);
  EXPECT_EQ(float_to_half(65519.0F), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0F), 0x7c00);
  EXPECT_EQ(float_to_half(-std::numeric_limits<float>::infinity()), 0xfc00);
}

}  // namespace
}  // namespace wgemm::native
