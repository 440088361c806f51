// f16 on the host, for products that pass through a device in panels.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "native/stream/half.hpp"

namespace wgemm::native {
namespace {

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
