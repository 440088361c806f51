// Products that pass through a memory cap in panels, drawn from the fuzzer's space: batches that share
// operands in some of their dimensions, gaps, epilogues, every type.
#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/streaming/panels.hpp"
#include "tests/kernels/adapter_test.hpp"
#include "tests/kernels/typed_problems.hpp"
#include "verify/fuzz/draw.hpp"
#include "verify/fuzz/forced_limits.hpp"

namespace wgemm::tests {
namespace {

class StreamedTest : public AdapterTest {
 protected:
  static Context context_of(std::uint64_t memory_cap) {
    ContextOptions options;
    options.webgpu = Bench::get().library();
    options.memory_cap = memory_cap;
    auto context = Context::create(options);
    EXPECT_TRUE(context) << context.error().message;
    return std::move(context).value();
  }
};

TEST_F(StreamedTest, PanelsThatShareOperandsDifferently) {
  // Products [i][j][l] of A[i][j] and B[i][l]: panels of one size share A, B or neither.
  Problem problem{32, 1, 2};
  problem.batch.rank = 3;
  problem.batch.extents = {3, 3, 3};
  problem.batch.a = {192, 64, 0};
  problem.batch.b = {6, 0, 2};
  problem.batch.c = {288, 96, 32};
  for (const std::uint64_t cap : {3000, 4000, 5000}) {
    SCOPED_TRACE(cap);
    auto context = context_of(cap);
    for (const auto* kernel : {"naive", "skinny-n_TM4_KS4"}) {
      ASSERT_TRUE(must_stream(problem, context.profile().limits, cap));
      expect_exact_from_host(context, problem, {kernel});
    }
  }
}

// Panels of C are written while others of the inputs have not been read.
TEST_F(StreamedTest, CInTheMemoryOfAnInput) {
  constexpr std::uint64_t kSize = 70;
  Problem problem{kSize, kSize, kSize};
  problem.beta = 2;
  problem.epilogue.add_residual = true;
  problem.epilogue.residual.order = Order::col_major;
  std::vector<float> numbers(kSize * kSize);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i * 7 % 5) - 2;
  // One memory for all four, and for C and the residual only.
  for (const bool all : {true, false}) {
    std::vector<std::vector<float>> results;
    for (const std::uint64_t cap : {0, 30000}) {
      auto context = context_of(cap);
      auto c = numbers;
      const auto in_c = std::as_bytes(std::span(c));
      const auto apart = std::as_bytes(std::span(numbers));
      const auto done = context.multiply(
          problem,
          HostOperands{
              all ? in_c : apart, all ? in_c : apart, std::as_writable_bytes(std::span(c)), {}, in_c, {}, {}},
          {"tiled_TILE8"});
      ASSERT_TRUE(done) << done.error().message;
      results.push_back(c);
    }
    EXPECT_EQ(results[0], results[1]);
  }
}

TEST_F(StreamedTest, DrawnProblems) {
  auto* const standard = Bench::get().context(Setting::standard);
  ASSERT_NE(standard, nullptr) << Bench::get().problem();
  const std::vector<std::string> quick{"coalesced_WX8_WY8", "tiled_TILE8"};
  std::uint64_t streamed = 0;
  for (std::uint64_t number = 0; number < 100; ++number) {
    auto group = verify::fuzz::draw_group(quick, 9, number);
    group.rank = static_cast<std::uint32_t>(1 + number % kMaxBatchRank);
    group.table = false;
    for (std::uint64_t index = 1; index < 4; ++index) {
      const auto each = verify::fuzz::draw_case(group, 9, number, index);
      const auto cap = verify::fuzz::forced_memory_cap(each.problem, standard->profile().limits);
      if (cap == 0) continue;
      SCOPED_TRACE(fmt::format("group {}, case {}, cap {}", number, index, cap));
      auto context = context_of(cap);
      expect_exact_from_host(context, each.problem, {each.options.kernel});
      if (HasFailure()) return;
      ++streamed;
    }
  }
  EXPECT_GE(streamed, 40U);
}

}  // namespace
}  // namespace wgemm::tests
