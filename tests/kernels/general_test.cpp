// The whole problem, C <- act(alpha op(A) op(B) + beta C + bias) + residual, for batches, offsets and splits
// of k, from host to host against a float64 triple loop: within a bound on random numbers, exactly on small
// integers.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/checking/error_bound.hpp"
#include "tests/kernels/adapter_test.hpp"

namespace wgemm::tests {
namespace {

/// For comparisons that tell one NaN from another.
std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

/// A matrix operand on the host: elements anywhere in a buffer of NaN.
struct Operand {
  std::vector<float> elements;
  const MatrixLayout* layout = nullptr;
  wgemm::Shape shape;
  const std::array<std::uint64_t, kMaxBatchRank>* strides = nullptr;

  [[nodiscard]] std::size_t index(std::uint64_t row, std::uint64_t col,
                                  const std::vector<std::uint64_t>& at) const {
    const auto ld = leading_dimension(*layout, shape.rows, shape.cols);
    std::uint64_t index =
        layout->offset + (layout->order == Order::row_major ? row * ld + col : col * ld + row);
    for (std::size_t d = 0; d < at.size(); ++d) index += at[d] * strides->at(d);
    return index;
  }
};

std::vector<std::uint64_t> batch_index(const Batch& batch, std::uint64_t product) {
  std::vector<std::uint64_t> at(batch.rank);
  for (auto d = batch.rank; d-- > 0;) {
    at[d] = product % batch.extents.at(d);
    product /= batch.extents.at(d);
  }
  return at;
}

double activate(const Epilogue& epilogue, double x) {
  switch (epilogue.activation) {
    case Activation::none:
      return x;
    case Activation::relu:
      return std::max(x, 0.0);
    case Activation::gelu:
      return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    case Activation::gelu_tanh:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::clamp:
      return std::clamp(x, double{epilogue.lower}, double{epilogue.upper});
  }
  return x;
}

bool is_smooth(Activation activation) {
  return activation == Activation::gelu || activation == Activation::gelu_tanh ||
         activation == Activation::silu;
}

/// Fills, multiplies and compares one problem.
class Trial {
 public:
  Trial(const Problem& problem, bool integers, std::uint64_t seed)
      : problem_(problem), integers_(integers), draw_(seed) {
    a_ = make(Matrix::a, problem.batch.a);
    b_ = make(Matrix::b, problem.batch.b);
    c_ = make(Matrix::c, problem.batch.c);
    residual_ = make(Matrix::residual, problem.batch.residual);
    bias_.resize(bias_length(problem));
    for (auto& value : bias_) value = number();
    if (problem.beta == 0) {  // then C is not read: NaN in it must not show
      for (auto& value : c_.elements) value = std::numeric_limits<float>::quiet_NaN();
    }
  }

  void run(Context& context, const PlanOptions& options) {
    auto result = c_.elements;
    const auto done = context.multiply(
        problem_,
        Context::HostOperands{std::as_bytes(std::span(a_.elements)), std::as_bytes(std::span(b_.elements)),
                              std::as_writable_bytes(std::span(result)), std::as_bytes(std::span(bias_)),
                              std::as_bytes(std::span(residual_.elements))},
        options);
    ASSERT_TRUE(done) << describe(problem_) << " " << options.kernel << ": " << done.error().message;
    compare(result, options);
  }

 private:
  float number() {
    if (integers_) return static_cast<float>(static_cast<std::int64_t>(draw_() % 5) - 2);
    return static_cast<float>(static_cast<double>(draw_() >> 11U) * 0x1p-52 - 1.0);
  }

  Operand make(Matrix matrix, const std::array<std::uint64_t, kMaxBatchRank>& strides) {
    Operand operand{{}, &layout_of(problem_, matrix), stored_shape(problem_, matrix), &strides};
    operand.elements.assign(buffer_bytes(problem_, matrix) / 4, std::numeric_limits<float>::quiet_NaN());
    if (operand.elements.empty()) return operand;
    for (std::uint64_t product = 0; product < problem_.batch.count(); ++product) {
      const auto at = batch_index(problem_.batch, product);
      for (std::uint64_t row = 0; row < operand.shape.rows; ++row) {
        for (std::uint64_t col = 0; col < operand.shape.cols; ++col) {
          operand.elements[operand.index(row, col, at)] = number();
        }
      }
    }
    return operand;
  }

  void compare(const std::vector<float>& result, const PlanOptions& options) {
    std::vector<bool> written(result.size());
    for (std::uint64_t product = 0; product < problem_.batch.count(); ++product) {
      const auto at = batch_index(problem_.batch, product);
      for (std::uint64_t row = 0; row < problem_.m; ++row) {
        for (std::uint64_t col = 0; col < problem_.n; ++col) {
          const auto index = c_.index(row, col, at);
          written[index] = true;
          const auto [expected, bound] = reference(row, col, at);
          const double error = std::abs(double{result[index]} - expected);
          // Written so that NaN fails.
          ASSERT_TRUE(error <= bound)
              << describe(problem_) << " kernel '" << options.kernel << "' split " << options.split_k
              << " product " << product << " C(" << row << ", " << col << ") = " << result[index]
              << ", expected " << expected << " within " << bound;
        }
      }
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (!written[i]) {
        ASSERT_EQ(bits(result[i]), bits(c_.elements[i])) << "element " << i << " of a gap";
      }
    }
  }

  struct Expected {
    double value;
    double bound;
  };

  Expected reference(std::uint64_t row, std::uint64_t col, const std::vector<std::uint64_t>& at) const {
    double sum = 0;
    double magnitude = 0;
    for (std::uint64_t k = 0; k < problem_.k; ++k) {
      const bool turn_a = problem_.trans_a == Transpose::transpose;
      const bool turn_b = problem_.trans_b == Transpose::transpose;
      const double left = a_.elements[a_.index(turn_a ? k : row, turn_a ? row : k, at)];
      const double right = b_.elements[b_.index(turn_b ? col : k, turn_b ? k : col, at)];
      sum += left * right;
      magnitude += std::abs(left * right);
    }
    double value = problem_.alpha * sum;
    double terms = std::abs(problem_.alpha) * magnitude;
    if (problem_.beta != 0) {
      const double old = problem_.beta * c_.elements[c_.index(row, col, at)];
      value += old;
      terms += std::abs(old);
    }
    const auto& epilogue = problem_.epilogue;
    if (epilogue.bias != Bias::none) {
      const double bias = bias_[epilogue.bias == Bias::per_row ? row : col];
      value += bias;
      terms += std::abs(bias);
    }
    // The sum, alpha, beta and the bias each round once more; slopes of the activations stay below 1.13.
    double bound = checking::gamma(problem_.k + 4, checking::kUnitRoundoffF32) * terms;
    if (is_smooth(epilogue.activation)) bound = 1.13 * bound + 1e-6 * std::abs(value) + 1e-7;
    value = activate(epilogue, value);
    if (epilogue.add_residual) {
      value += residual_.elements[residual_.index(row, col, at)];
      bound += 2 * checking::kUnitRoundoffF32 * std::abs(value);
    }
    const bool exact = integers_ && !is_smooth(epilogue.activation);
    return {value, exact ? 0 : bound + 1e-37};
  }

  const Problem& problem_;
  bool integers_;
  std::mt19937_64 draw_;
  Operand a_;
  Operand b_;
  Operand c_;
  Operand residual_;
  std::vector<float> bias_;
};

class GeneralTest : public AdapterTest {
 protected:
  static void expect_right(const Problem& problem, const PlanOptions& options, std::uint64_t seed = 1) {
    auto& context = *Bench::get().context(Setting::standard);
    for (const bool integers : {false, true}) {
      Trial(problem, integers, seed).run(context, options);
      if (HasFatalFailure()) return;
    }
  }
};

Problem sized(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  return problem;
}

/// A problem with everything: drawn from a seed, so that each combination comes up sooner or later.
Problem random_problem(std::mt19937_64& draw) {
  const auto below = [&](std::uint64_t n) { return draw() % n; };
  auto problem = sized(1 + below(40), 1 + below(40), 1 + below(70));
  problem.trans_a = below(2) == 0 ? Transpose::none : Transpose::transpose;
  problem.trans_b = below(2) == 0 ? Transpose::none : Transpose::transpose;
  problem.alpha = below(2) == 0 ? 1.0F : 2.0F;
  problem.beta = below(2) == 0 ? 0.0F : -1.0F;
  auto& epilogue = problem.epilogue;
  epilogue.bias = static_cast<Bias>(below(3));
  epilogue.activation = static_cast<Activation>(below(6));
  epilogue.lower = -3;
  epilogue.upper = 2;
  epilogue.add_residual = below(3) == 0;
  for (auto* layout : {&problem.a, &problem.b, &problem.c, &epilogue.residual}) {
    layout->order = below(2) == 0 ? Order::row_major : Order::col_major;
    layout->offset = below(3) == 0 ? below(9) : 0;
  }
  problem.batch.rank = static_cast<std::uint32_t>(below(3));
  for (const auto matrix : {Matrix::a, Matrix::b, Matrix::c, Matrix::residual}) {
    auto layout = layout_of(problem, matrix);
    layout.offset = 0;
    const auto shape = stored_shape(problem, matrix);
    auto stride = size_in_bytes(layout, shape.rows, shape.cols) / 4 + below(3);
    for (auto d = problem.batch.rank; d-- > 0;) {
      problem.batch.extents.at(d) = 1 + (d == 0 ? 2 : 1);
      const bool broadcast = matrix != Matrix::c && below(4) == 0;
      auto& strides = matrix == Matrix::a   ? problem.batch.a
                      : matrix == Matrix::b ? problem.batch.b
                      : matrix == Matrix::c ? problem.batch.c
                                            : problem.batch.residual;
      strides.at(d) = broadcast ? 0 : stride;
      stride *= problem.batch.extents.at(d);
    }
  }
  return problem;
}

TEST_F(GeneralTest, RandomProblemsWithEveryKernelAreRight) {
  std::mt19937_64 draw(20261129);
  const char* kernels[] = {"",
                           "coalesced_WX8_WY8",
                           "tiled_TILE8",
                           "thread-tile_BM16_BN16_BK8_TM2_TN2",
                           "vec4_BM16_BN16_BK16_TM2_TN2",
                           "register-tile_BM32_BN32_BK8_TM4_TN4_PAD0",
                           "skinny-n_TM4_BN32_SLICES4_KS4",
                           "skinny-k_TM2_TN4_LANES8_GROUPS4"};
  for (int i = 0; i < 104; ++i) {
    const auto problem = random_problem(draw);
    PlanOptions options;
    options.kernel = kernels[static_cast<std::size_t>(i) % std::size(kernels)];
    options.split_k = 1 + draw() % 3;
    options.edges = draw() % 3 == 0 ? EdgePolicy::padded : EdgePolicy::checked;
    expect_right(problem, options, draw());
    if (HasFatalFailure()) return;
  }
}

// fault 28
TEST_F(GeneralTest, SizesOfZeroAreProblemsToo) {
  for (auto problem : {sized(0, 5, 3), sized(5, 0, 3), sized(0, 0, 0)}) expect_right(problem, {});
  auto none = sized(3, 4, 5);
  none.batch.rank = 1;
  none.batch.c[0] = 12;
  expect_right(none, {});
  for (const float beta : {0.0F, 1.0F}) {
    auto problem = sized(5, 3, 0);
    problem.beta = beta;
    problem.epilogue.bias = Bias::per_column;
    expect_right(problem, {});
  }
}

// fault 6
TEST_F(GeneralTest, BroadcastBatchesTakeTheirOwnMatrices) {
  auto problem = sized(3, 3, 3);  // A[2,4,3,3] x B[4,3,3]
  problem.batch.rank = 2;
  problem.batch.extents = {2, 4};
  problem.batch.a = {36, 9};
  problem.batch.b = {0, 9};
  problem.batch.c = {36, 9};
  expect_right(problem, {});
  problem = sized(2, 6, 4);  // A[3,1,2,4] x B[1,5,4,6]
  problem.batch.rank = 2;
  problem.batch.extents = {3, 5};
  problem.batch.a = {8, 0};
  problem.batch.b = {0, 24};
  problem.batch.c = {60, 12};
  expect_right(problem, {});
}

// fault 9
TEST_F(GeneralTest, MoreProductsThanADimensionHasWorkgroups) {
  auto problem = sized(1, 1, 4);
  problem.batch.rank = 1;
  problem.batch.extents = {65536 + 3};
  problem.batch.a = {4};
  problem.batch.b = {4};
  problem.batch.c = {1};
  expect_right(problem, {});
}

// fault 26
TEST_F(GeneralTest, ASplitGivesTheSameBitsOnEveryRun) {
  const auto problem = sized(17, 9, 1000);
  PlanOptions options;
  options.kernel = "tiled_TILE8";
  options.split_k = 5;
  expect_right(problem, options);
  std::vector<float> a(problem.m * problem.k);
  std::vector<float> b(problem.k * problem.n);
  std::vector<float> first(problem.m * problem.n);
  std::vector<float> again(first.size());
  std::mt19937_64 draw(5);
  for (auto* matrix : {&a, &b}) {
    for (auto& value : *matrix)
      value = static_cast<float>(static_cast<double>(draw() >> 11U) * 0x1p-52 - 1.0);
  }
  auto& context = *Bench::get().context(Setting::standard);
  for (int run = 0; run < 20; ++run) {
    auto& c = run == 0 ? first : again;
    const auto done = context.multiply(problem, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)),
                                       std::as_writable_bytes(std::span(c)), options);
    ASSERT_TRUE(done);
    if (run > 0) {
      ASSERT_EQ(first, again) << "run " << run;
    }
  }
}

// fault 27
TEST_F(GeneralTest, ALargeBiasLandsInItsRowOrColumn) {
  for (const auto bias : {Bias::per_row, Bias::per_column}) {
    auto problem = sized(7, 5, 3);
    problem.epilogue.bias = bias;
    std::vector<float> a(21, 1.0F), b(15, 1.0F), c(35), values(bias == Bias::per_row ? 7 : 5);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1000.0F * static_cast<float>(i + 1);
    auto& context = *Bench::get().context(Setting::standard);
    const auto done = context.multiply(problem, Context::HostOperands{std::as_bytes(std::span(a)),
                                                                      std::as_bytes(std::span(b)),
                                                                      std::as_writable_bytes(std::span(c)),
                                                                      std::as_bytes(std::span(values)),
                                                                      {}});
    ASSERT_TRUE(done) << done.error().message;
    for (std::size_t row = 0; row < 7; ++row) {
      for (std::size_t col = 0; col < 5; ++col) {
        EXPECT_EQ(c[row * 5 + col], 3.0F + values[bias == Bias::per_row ? row : col]);
      }
    }
  }
}

TEST_F(GeneralTest, RefusesWhatNoDeviceCouldDo) {
  auto shared = sized(2, 2, 2);
  shared.batch.rank = 1;
  shared.batch.extents = {2};
  const auto broadcast_c = validate(shared);
  ASSERT_FALSE(broadcast_c);
  EXPECT_EQ(broadcast_c.error().argument, "batch.c");
  auto clamped = sized(2, 2, 2);
  clamped.epilogue.activation = Activation::clamp;
  clamped.epilogue.lower = 1;
  const auto empty_interval = validate(clamped);
  ASSERT_FALSE(empty_interval);
  EXPECT_EQ(empty_interval.error().argument, "epilogue.lower");
}

}  // namespace
}  // namespace wgemm::tests
