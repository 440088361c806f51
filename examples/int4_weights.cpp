// Weights in four bits, as language models store them: a layer of n outputs and k inputs is quantised in
// blocks of 32 along k, one f16-sized step apart, and multiplied by f32 activations without ever being
// widened in memory.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

#include "wgemm/context.hpp"
#include "wgemm/environment.hpp"

namespace {

constexpr std::uint64_t kOutputs = 1024;
constexpr std::uint64_t kInputs = 2048;
constexpr std::uint64_t kBlock = 32;
constexpr std::uint64_t kBlocks = kInputs / kBlock;
constexpr std::uint64_t kTokens = 3;

/// u4 without zero points: a weight is scale * (q - 8).
struct Quantised {
  std::vector<std::uint8_t> nibbles = std::vector<std::uint8_t>(kOutputs * kInputs / 2);
  std::vector<float> scales = std::vector<float>(kOutputs * kBlocks);
};

Quantised quantise(const std::vector<float>& weights) {  // kOutputs x kInputs, row-major
  Quantised result;
  for (std::uint64_t block = 0; block < kOutputs * kBlocks; ++block) {
    const std::span<const float> from(&weights[block * kBlock], kBlock);
    float largest = 0;
    for (const float weight : from) largest = std::max(largest, std::abs(weight));
    const float scale = largest / 7;
    result.scales[block] = scale;
    for (std::uint64_t i = 0; i < kBlock; ++i) {
      const float steps = scale > 0 ? std::round(from[i] / scale) : 0.0F;
      const auto nibble = static_cast<std::uint8_t>(std::clamp(steps, -8.0F, 7.0F) + 8);
      result.nibbles[(block * kBlock + i) / 2] |=
          static_cast<std::uint8_t>(i % 2 == 0 ? nibble : nibble << 4);
    }
  }
  return result;
}

float weight_of(const Quantised& weights, std::uint64_t output, std::uint64_t input) {
  const auto at = output * kInputs + input;
  const int nibble = weights.nibbles[at / 2] >> (at % 2 * 4) & 15;
  return weights.scales[at / kBlock] * static_cast<float>(nibble - 8);
}

}  // namespace

int main() {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> weights(kOutputs * kInputs);
  std::vector<float> activations(kTokens * kInputs);
  for (auto* values : {&weights, &activations}) {
    for (float& value : *values) value = normal(random);
  }
  const Quantised small = quantise(weights);

  wgemm::prepare_environment();
  auto gpu = wgemm::Context::create();
  if (!gpu) return std::fprintf(stderr, "%s\n", gpu.error().message.c_str()), 1;
  wgemm::Problem problem;
  problem.m = kTokens;
  problem.n = kOutputs;
  problem.k = kInputs;
  problem.trans_b = wgemm::Transpose::transpose;  // stored as outputs x inputs
  problem.b.type = wgemm::DataType::u4;
  problem.quantization = {.block = kBlock, .scale_type = wgemm::DataType::f32};
  std::vector<float> outputs(kTokens * kOutputs);
  wgemm::Context::HostOperands operands;
  operands.a = std::as_bytes(std::span(activations));
  operands.b = std::as_bytes(std::span(small.nibbles));
  operands.c = std::as_writable_bytes(std::span(outputs));
  operands.scales = std::as_bytes(std::span(small.scales));
  if (const auto done = gpu->multiply(problem, operands); !done) {
    return std::fprintf(stderr, "%s\n", done.error().message.c_str()), 1;
  }

  // Against the same quantised weights, in double precision: only the sums round differently.
  double worst = 0;
  for (std::uint64_t token = 0; token < kTokens; ++token) {
    for (std::uint64_t output = 0; output < kOutputs; ++output) {
      double sum = 0;
      double terms = 0;
      for (std::uint64_t input = 0; input < kInputs; ++input) {
        const double term = static_cast<double>(activations[token * kInputs + input]) *
                            static_cast<double>(weight_of(small, output, input));
        sum += term;
        terms += std::abs(term);
      }
      worst = std::max(worst, std::abs(outputs[token * kOutputs + output] - sum) / terms);
    }
  }
  const auto kilobytes = (small.nibbles.size() + small.scales.size() * sizeof(float)) / 1024;
  std::printf("%zu KiB of weights instead of %zu KiB; largest error %.2g of |A||B|\n", kilobytes,
              weights.size() * sizeof(float) / 1024, worst);
  return worst < 1e-5 ? 0 : 1;
}
