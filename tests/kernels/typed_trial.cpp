#include "tests/kernels/typed_trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/checking/error_bound.hpp"
#include "verify/half.hpp"

namespace wgemm::tests {
namespace {

template <typename T>
T load_as(const std::vector<std::byte>& bytes, std::uint64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void store_as(std::vector<std::byte>& bytes, std::uint64_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

std::uint64_t nibble(const std::vector<std::byte>& bytes, std::uint64_t index) {
  return std::to_integer<unsigned>(bytes[index / 2]) >> (index % 2 * 4) & 15U;
}

}  // namespace

double load_element(const std::vector<std::byte>& bytes, DataType type, std::uint64_t index) {
  switch (type) {
    case DataType::f32:
      return load_as<float>(bytes, index);
    case DataType::f16:
      return static_cast<double>(load_as<verify::Half>(bytes, index));
    case DataType::i32:
      return load_as<std::int32_t>(bytes, index);
    case DataType::i8:
      return load_as<std::int8_t>(bytes, index);
    case DataType::u8:
      return load_as<std::uint8_t>(bytes, index);
    case DataType::u4:
      return static_cast<double>(nibble(bytes, index));
    case DataType::i4:
      return static_cast<double>(nibble(bytes, index) ^ 8U) - 8;
  }
  return 0;
}

void store_element(std::vector<std::byte>& bytes, DataType type, std::uint64_t index, double value) {
  switch (type) {
    case DataType::f32:
      return store_as(bytes, index, static_cast<float>(value));
    case DataType::f16:
      return store_as(bytes, index, verify::Half(static_cast<float>(value)));
    case DataType::i32:
      return store_as(bytes, index, static_cast<std::int32_t>(value));
    case DataType::i8:
      return store_as(bytes, index, static_cast<std::int8_t>(value));
    case DataType::u8:
      return store_as(bytes, index, static_cast<std::uint8_t>(value));
    case DataType::i4:
    case DataType::u4: {
      const auto code = static_cast<unsigned>(static_cast<int>(value)) & 15U;
      const auto shift = index % 2 * 4;
      auto& byte = bytes[index / 2];
      byte = static_cast<std::byte>((std::to_integer<unsigned>(byte) & ~(15U << shift)) | code << shift);
    }
  }
}

TypedTrial::TypedTrial(const Problem& problem, Values values, std::uint64_t seed)
    : problem_(problem), values_(values), draw_(seed) {
  a_ = make(Matrix::a);
  b_ = make(Matrix::b);
  c_ = make(Matrix::c);
  residual_ = make(Matrix::residual);
  fill_vector(bias_, problem.epilogue.bias_type, bias_length(problem));
  const auto blocks = quantization_blocks(problem);
  if (blocks == 0) return;
  scales_.resize(scales_bytes(problem));
  for (std::uint64_t i = 0; i < problem.n * blocks; ++i) {
    const double scale = values == Values::integers ? std::ldexp(1.0, static_cast<int>(draw_() % 3) - 1)
                                                    : 0.5 + static_cast<double>(draw_() % 1000) / 1000;
    store_element(scales_, problem.quantization.scale_type, i, scale);
  }
  zeros_.resize(zeros_bytes(problem));
  const auto row = size_of(problem.b.type, blocks) * 8 / bits_of(problem.b.type);  // with whole bytes
  if (!zeros_.empty()) {
    for (std::uint64_t i = 0; i < problem.n * row; ++i)
      store_element(zeros_, problem.b.type, i, number(problem.b.type));
  }
}

double TypedTrial::number(DataType type) {
  const auto below = [&](std::uint64_t n) { return static_cast<double>(draw_() % n); };
  switch (type) {
    case DataType::i8:
      if (values_ == Values::extremes) return below(3) == 0 ? 127 : -128;
      return below(256) - 128;
    case DataType::u8:
      return values_ == Values::extremes ? 255 : below(256);
    case DataType::i4:
      return below(16) - 8;
    case DataType::u4:
      return below(16);
    case DataType::i32:
      return below(1U << 30U) - (1U << 29U);
    case DataType::f32:
    case DataType::f16:
      break;
  }
  if (values_ != Values::random) return below(5) - 2;
  return static_cast<double>(draw_() >> 11U) * 0x1p-52 - 1.0;
}

std::vector<std::byte> TypedTrial::make(Matrix matrix) {
  const auto type = layout_of(problem_, matrix).type;
  std::vector<std::byte> bytes(buffer_bytes(problem_, matrix), std::byte{0xff});  // NaN as f32 and as f16
  if (bytes.empty() || (matrix == Matrix::c && problem_.beta == 0)) return bytes;
  const auto shape = stored_shape(problem_, matrix);
  for (std::uint64_t product = 0; product < problem_.batch.count(); ++product) {
    for (std::uint64_t row = 0; row < shape.rows; ++row) {
      for (std::uint64_t col = 0; col < shape.cols; ++col)
        store_element(bytes, type, index(matrix, product, row, col), number(type));
    }
  }
  return bytes;
}

void TypedTrial::fill_vector(std::vector<std::byte>& bytes, DataType type, std::uint64_t elements) {
  bytes.resize(size_of(type, elements));
  for (std::uint64_t i = 0; i < elements; ++i) store_element(bytes, type, i, number(type));
}

std::uint64_t TypedTrial::index(Matrix matrix, std::uint64_t product, std::uint64_t row,
                                std::uint64_t col) const {
  const auto ld = leading_dimension(problem_, matrix);
  const bool by_row = layout_of(problem_, matrix).order == Order::row_major;
  return first_element(problem_, matrix, product) + (by_row ? row * ld + col : col * ld + row);
}

double TypedTrial::weight(std::uint64_t product, std::uint64_t k, std::uint64_t col) const {
  const bool turned = problem_.trans_b == Transpose::transpose;
  const auto type = problem_.b.type;
  const double code = load_element(b_, type, index(Matrix::b, product, turned ? col : k, turned ? k : col));
  const auto& [block, scale_type, has_zeros] = problem_.quantization;
  if (block == 0) return code;
  const auto blocks = quantization_blocks(problem_);
  double zero = type == DataType::u8 ? 128 : type == DataType::u4 ? 8 : 0;
  if (has_zeros) {
    const auto row = size_of(type, blocks) * 8 / bits_of(type);
    zero = load_element(zeros_, type, col * row + k / block);
  }
  return load_element(scales_, scale_type, col * blocks + k / block) * (code - zero);
}

TypedTrial::Expected TypedTrial::reference(std::uint64_t product, std::uint64_t row,
                                           std::uint64_t col) const {
  const bool turned = problem_.trans_a == Transpose::transpose;
  double sum = 0;
  double magnitude = 0;
  for (std::uint64_t k = 0; k < problem_.k; ++k) {
    const double left =
        load_element(a_, problem_.a.type, index(Matrix::a, product, turned ? k : row, turned ? row : k));
    const double term = left * weight(product, k, col);
    sum += term;
    magnitude += std::abs(term);
  }
  const auto c_index = index(Matrix::c, product, row, col);
  const bool integers = !is_floating(problem_.a.type);
  if (integers) {  // sums below 2^53 are exact in float64; modulo 2^32 they are right in i32
    if (problem_.c.type == DataType::i32 && problem_.beta != 0)
      sum += load_element(c_, problem_.c.type, c_index);
    sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
    magnitude = std::abs(sum);
    if (problem_.c.type == DataType::i32) return {sum, 0};
  }
  double value = problem_.alpha * sum;
  double terms = std::abs(problem_.alpha) * magnitude;
  if (problem_.beta != 0) {
    const double old = problem_.beta * load_element(c_, problem_.c.type, c_index);
    value += old;
    terms += std::abs(old);
  }
  const auto& epilogue = problem_.epilogue;
  if (epilogue.bias != Bias::none) {
    const double bias = load_element(bias_, epilogue.bias_type, epilogue.bias == Bias::per_row ? row : col);
    value += bias;
    terms += std::abs(bias);
  }
  if (epilogue.activation == Activation::relu) value = std::max(value, 0.0);
  if (epilogue.add_residual) {
    const double more =
        load_element(residual_, epilogue.residual.type, index(Matrix::residual, product, row, col));
    value += more;
    terms += std::abs(more);
  }
  const auto roundings = integers ? 5 : problem_.k + 8;  // a dequantised weight rounds once more
  const bool half_sums = problem_.accumulate == Accumulate::f16;
  const auto unit = half_sums ? 2 * checking::kUnitRoundoffF16 : checking::kUnitRoundoffF32;
  double bound = values_ == Values::integers && terms < (half_sums ? 0x1p11 : 0x1p23)
                     ? 0
                     : checking::gamma(roundings, unit) * terms + 1e-37;
  const bool rounds = static_cast<double>(verify::Half(static_cast<float>(value))) != value;
  if (problem_.c.type == DataType::f16 && (bound != 0 || rounds)) {
    bound += 2 * checking::kUnitRoundoffF16 * (std::abs(value) + bound) + 0x1p-14;
  }
  return {value, bound};
}

void TypedTrial::run(Context& context, const PlanOptions& options) const {
  auto result = c_;
  const Context::HostOperands operands{a_, b_, result, bias_, residual_, scales_, zeros_};
  const auto done = context.multiply(problem_, operands, options);
  ASSERT_TRUE(done) << describe(problem_) << " '" << options.kernel << "': " << done.error().message;
  auto gaps = result;
  for (std::uint64_t product = 0; product < problem_.batch.count(); ++product) {
    for (std::uint64_t row = 0; row < problem_.m; ++row) {
      for (std::uint64_t col = 0; col < problem_.n; ++col) {
        const auto at = index(Matrix::c, product, row, col);
        const double actual = load_element(result, problem_.c.type, at);
        const auto [value, bound] = reference(product, row, col);
        if (problem_.c.type == DataType::f16 && std::abs(value) > 60000) continue;  // beyond f16
        ASSERT_TRUE(std::abs(actual - value) <= bound)  // written so that NaN fails
            << describe(problem_) << " kernel '" << options.kernel << "' split " << options.split_k
            << " product " << product << " C(" << row << ", " << col << ") = " << actual << ", expected "
            << value << " within " << bound;
        const auto size = size_of(problem_.c.type);
        std::copy_n(c_.begin() + static_cast<std::ptrdiff_t>(at * size), size,
                    gaps.begin() + static_cast<std::ptrdiff_t>(at * size));
      }
    }
  }
  ASSERT_TRUE(gaps == c_) << describe(problem_) << ": bytes between the elements of C were written";
}

}  // namespace wgemm::tests
