#include "bench/suites.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>

namespace wgemm::bench {
namespace {

struct Line {
  std::uint64_t m;
  std::uint64_t n;
  std::uint64_t k;
  std::uint64_t batch = 1;
  std::string_view label;
  std::string_view layout = "nn";
};

constexpr std::array<Line, 8> kSquares{{{64, 64, 64},
                                        {128, 128, 128},
                                        {256, 256, 256},
                                        {512, 512, 512},
                                        {1024, 1024, 1024},
                                        {2048, 2048, 2048},
                                        {4096, 4096, 4096},
                                        {8192, 8192, 8192}}};

/// Vectors, few rows or columns, and products whose parallelism lies along k.
constexpr std::array<Line, 19> kSkinny{{{1, 4096, 4096},
                                        {2, 4096, 4096},
                                        {4, 4096, 4096},
                                        {8, 4096, 4096},
                                        {16, 4096, 4096},
                                        {128, 4096, 4096},
                                        {1, 14336, 4096},
                                        {1, 4096, 14336},
                                        {1, 4096, 4096, 1, "", "nt"},
                                        {1, 14336, 4096, 1, "", "nt"},
                                        {4096, 1, 4096},
                                        {4096, 2, 4096},
                                        {4096, 4, 4096},
                                        {4096, 8, 4096},
                                        {4096, 16, 4096},
                                        {14336, 1, 4096},
                                        {64, 64, 65536, 1, "long k"},
                                        {256, 256, 16384, 1, "long k"},
                                        {32, 32, 131072, 1, "long k"}}};

/// Attention: 32 heads of 128, of one sequence.
constexpr std::array<Line, 8> kBatched{{{512, 512, 512, 64},
                                        {64, 64, 64, 4096},
                                        {128, 128, 128, 512},
                                        {32, 32, 32, 8192},
                                        {2048, 2048, 128, 32, "attention scores, 2048 tokens", "nt"},
                                        {2048, 128, 2048, 32, "attention values, 2048 tokens"},
                                        {1, 2048, 128, 32, "attention scores, a token of 2048", "nt"},
                                        {1, 128, 2048, 32, "attention values, a token of 2048"}}};

/// One off a power of two, primes, and edges in one direction only.
constexpr std::array<Line, 9> kOdd{{{4095, 4097, 4093},
                                    {4097, 4096, 4096},
                                    {4096, 4097, 4096},
                                    {4096, 4096, 4097},
                                    {2047, 2049, 2045},
                                    {1023, 1025, 1021},
                                    {511, 513, 509},
                                    {1009, 1013, 1019},
                                    {127, 4099, 1031}}};

/// Llama-like models: B of each projection is stored as n x k.
struct Model {
  std::string_view name;
  std::uint64_t hidden;
  std::uint64_t intermediate;
  std::uint64_t kv;  ///< outputs of the projections k and v, fewer than q has by grouped queries
};
constexpr std::array<Model, 3> kModels{
    {{"1B", 2048, 8192, 512}, {"8B", 4096, 14336, 1024}, {"70B", 8192, 28672, 1024}}};
constexpr std::array<std::uint64_t, 4> kTokens{1, 16, 128, 2048};

std::vector<Product> llm() {
  std::vector<Product> products;
  for (const auto& model : kModels) {
    const std::array<Line, 4> projections{{{0, model.hidden, model.hidden, 1, "q, o"},
                                           {0, model.kv, model.hidden, 1, "k, v"},
                                           {0, model.intermediate, model.hidden, 1, "gate, up"},
                                           {0, model.hidden, model.intermediate, 1, "down"}}};
    for (const auto& each : projections) {
      for (const auto tokens : kTokens) {
        products.push_back({tokens, each.n, each.k, 1, "f32", "nt", "llm",
                            fmt::format("{} {}, M = {}", model.name, each.label, tokens)});
      }
    }
  }
  return products;
}

std::vector<Product> products_of(std::string_view suite, std::span<const Line> lines) {
  std::vector<Product> products;
  products.reserve(lines.size());
  for (const auto& line : lines) {
    products.push_back({line.m, line.n, line.k, line.batch, "f32", std::string(line.layout),
                        std::string(suite), std::string(line.label)});
  }
  return products;
}

constexpr std::array<Suite, 5> kSuites{
    {{"squares", "64 to 8192, powers of two"},
     {"llm", "projections of Llama-like models of 1B, 8B and 70B for 1, 16, 128 and 2048 tokens"},
     {"skinny", "vectors, few rows or columns, and a long k"},
     {"batched", "many small products, and attention"},
     {"odd", "sizes off powers of two, primes"}}};

}  // namespace

std::span<const Suite> list_suites() { return kSuites; }

Result<std::vector<Product>> suite_products(std::string_view name) {
  if (name == "squares") return products_of(name, kSquares);
  if (name == "llm") return llm();
  if (name == "skinny") return products_of(name, kSkinny);
  if (name == "batched") return products_of(name, kBatched);
  if (name == "odd") return products_of(name, kOdd);
  std::vector<std::string_view> names;
  names.reserve(kSuites.size());
  for (const auto& suite : kSuites) names.push_back(suite.name);
  return fail(ErrorCode::not_found, "suite",
              fmt::format("there is no suite '{}'; there are {}", name, fmt::join(names, ", ")));
}

}  // namespace wgemm::bench
