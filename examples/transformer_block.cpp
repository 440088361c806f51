// One block of a transformer in the shape of GPT-2's small model: y = h + mlp(norm(h)), h = x +
// attention(norm(x)). Matrix products run on the GPU with what surrounds them (bias, gelu, residual, scaling,
// heads as a batch); norms and softmax stay on the host. Usage: transformer_block FOLDER, which holds the
// operands as raw f32 files; writes y.f32.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "wgemm/context.hpp"
#include "wgemm/environment.hpp"

namespace {

using wgemm::Problem;
using Matrix = std::vector<float>;

constexpr std::uint64_t kBatch = 2;
constexpr std::uint64_t kTokens = 128;
constexpr std::uint64_t kModel = 768;
constexpr std::uint64_t kHeads = 12;
constexpr std::uint64_t kHead = kModel / kHeads;
constexpr std::uint64_t kHidden = 4 * kModel;
constexpr std::uint64_t kRows = kBatch * kTokens;

/// The GPU and the folder of operands; the first error ends the program's work and is told once.
class Block {
 public:
  Block(wgemm::Context gpu, std::string folder) : gpu_(std::move(gpu)), folder_(std::move(folder)) {}

  bool run() {
    const Matrix x = read("x", kRows * kModel);
    const Matrix h = attend(normalise(x, "norm1"), x);
    const Matrix hidden = linear(normalise(h, "norm2"), "up", kModel, kHidden, wgemm::Activation::gelu, {});
    const Matrix y = linear(hidden, "down", kHidden, kModel, wgemm::Activation::none, h);
    if (error_.empty()) write("y", y);
    if (!error_.empty()) std::fprintf(stderr, "%s\n", error_.c_str());
    return error_.empty();
  }

 private:
  /// rows x `in` times `in` x `out`, plus a bias for each column, an activation, and a residual where there
  /// is one.
  Matrix linear(const Matrix& input, const std::string& name, std::uint64_t in, std::uint64_t out,
                wgemm::Activation activation, const Matrix& residual) {
    Problem problem;
    problem.m = kRows;
    problem.n = out;
    problem.k = in;
    problem.epilogue.bias = wgemm::Bias::per_column;
    problem.epilogue.activation = activation;
    problem.epilogue.add_residual = !residual.empty();
    const Matrix weight = read(name + ".weight", in * out);
    const Matrix bias = read(name + ".bias", out);
    return multiply(problem, input, weight, kRows * out, bias, residual);
  }

  Matrix attend(const Matrix& input, const Matrix& residual) {
    // Queries, keys and values of all heads side by side: rows of 3 * kModel.
    const Matrix qkv = linear(input, "qkv", kModel, 3 * kModel, wgemm::Activation::none, {});

    // A head is a strided view: its matrices start kHead columns apart, those of a sequence kTokens rows
    // apart.
    Problem scores;
    scores.m = scores.n = kTokens;
    scores.k = kHead;
    scores.alpha = 1 / std::sqrt(static_cast<float>(kHead));
    scores.trans_b = wgemm::Transpose::transpose;
    scores.a.ld = scores.b.ld = 3 * kModel;
    scores.b.offset = kModel;
    scores.batch.rank = 2;
    scores.batch.extents = {kBatch, kHeads};
    scores.batch.a = scores.batch.b = {kTokens * 3 * kModel, kHead};
    scores.batch.c = {kHeads * kTokens * kTokens, kTokens * kTokens};
    Matrix weights = multiply(scores, qkv, qkv, kBatch * kHeads * kTokens * kTokens, {}, {});
    causal_softmax(weights);

    // The heads' results land side by side again: the matrices of this batch interleave in C.
    Problem mix;
    mix.m = mix.k = kTokens;
    mix.n = kHead;
    mix.b.ld = 3 * kModel;
    mix.b.offset = 2 * kModel;
    mix.c.ld = kModel;
    mix.batch.rank = 2;
    mix.batch.extents = {kBatch, kHeads};
    mix.batch.a = {kHeads * kTokens * kTokens, kTokens * kTokens};
    mix.batch.b = {kTokens * 3 * kModel, kHead};
    mix.batch.c = {kTokens * kModel, kHead};
    const Matrix mixed = multiply(mix, weights, qkv, kRows * kModel, {}, {});
    return linear(mixed, "proj", kModel, kModel, wgemm::Activation::none, residual);
  }

  Matrix multiply(const Problem& problem, const Matrix& a, const Matrix& b, std::uint64_t elements_of_c,
                  const Matrix& bias, const Matrix& residual) {
    Matrix c(elements_of_c);
    if (!error_.empty()) return c;
    wgemm::Context::HostOperands operands;
    operands.a = std::as_bytes(std::span(a));
    operands.b = std::as_bytes(std::span(b));
    operands.c = std::as_writable_bytes(std::span(c));
    operands.bias = std::as_bytes(std::span(bias));
    operands.residual = std::as_bytes(std::span(residual));
    if (const auto done = gpu_.multiply(problem, operands); !done) error_ = done.error().message;
    return c;
  }

  Matrix normalise(const Matrix& x, const std::string& name) {
    const Matrix gain = read(name + ".weight", kModel);
    const Matrix shift = read(name + ".bias", kModel);
    Matrix y(x.size());
    for (std::size_t row = 0; row < x.size() / kModel; ++row) {
      const std::span<const float> from(&x[row * kModel], kModel);
      double mean = 0;
      double square = 0;
      for (const float value : from) mean += value / static_cast<double>(kModel);
      for (const float value : from) square += (value - mean) * (value - mean) / static_cast<double>(kModel);
      const double scale = 1 / std::sqrt(square + 1e-5);
      for (std::size_t i = 0; i < kModel; ++i) {
        y[row * kModel + i] = static_cast<float>((from[i] - mean) * scale * gain[i] + shift[i]);
      }
    }
    return y;
  }

  /// Each row over the tokens up to its own; later ones weigh nothing.
  static void causal_softmax(Matrix& weights) {
    for (std::size_t row = 0; row < weights.size() / kTokens; ++row) {
      const std::span<float> line(&weights[row * kTokens], kTokens);
      const auto seen = line.first(row % kTokens + 1);
      const float largest = std::ranges::max(seen);
      float sum = 0;
      for (float& weight : seen) sum += weight = std::exp(weight - largest);
      for (float& weight : seen) weight /= sum;
      std::ranges::fill(line.subspan(seen.size()), 0.0F);
    }
  }

  Matrix read(const std::string& name, std::uint64_t elements) {
    Matrix matrix(elements);
    std::ifstream file(folder_ + "/" + name + ".f32", std::ios::binary);
    file.read(reinterpret_cast<char*>(matrix.data()), static_cast<std::streamsize>(elements * sizeof(float)));
    if (!file && error_.empty()) error_ = name + ".f32 is missing or too short";
    return matrix;
  }

  void write(const std::string& name, const Matrix& matrix) {
    std::ofstream file(folder_ + "/" + name + ".f32", std::ios::binary);
    file.write(reinterpret_cast<const char*>(matrix.data()),
               static_cast<std::streamsize>(matrix.size() * sizeof(float)));
    if (!file) error_ = name + ".f32 cannot be written";
  }

  wgemm::Context gpu_;
  std::string folder_;
  std::string error_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: transformer_block FOLDER\n"), 1;
  wgemm::prepare_environment();
  auto gpu = wgemm::Context::create();
  if (!gpu) return std::fprintf(stderr, "%s\n", gpu.error().message.c_str()), 1;
  return Block(std::move(*gpu), argv[1]).run() ? 0 : 1;
}
