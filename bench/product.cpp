#include "bench/product.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

namespace wgemm::bench {
namespace {

constexpr std::uint32_t kWeightBlock = 32;

constexpr std::array<Types, 7> kTypes{{
    {"f32", "all of f32"},
    {"f16", "A and B of f16, sums and C of f32", DataType::f16, DataType::f16},
    {"f16-out16", "A, B and C of f16, sums of f32", DataType::f16, DataType::f16, DataType::f16},
    {"f16-acc16", "A, B, sums and C of f16", DataType::f16, DataType::f16, DataType::f16, Accumulate::f16},
    {"i8", "A and B of i8, sums and C of i32", DataType::i8, DataType::i8, DataType::i32},
    {"u8", "A and B of u8, sums and C of i32", DataType::u8, DataType::u8, DataType::i32},
    {"int4", "A of f16, B of 4-bit weights in blocks of 32 with f16 scales, sums and C of f32", DataType::f16,
     DataType::u4, DataType::f32, Accumulate::standard, kWeightBlock},
}};

}  // namespace

std::span<const Types> list_types() { return kTypes; }

Result<Problem> problem_of(const Product& product) {
  const auto* const types = std::ranges::find(kTypes, product.types, &Types::name);
  if (types == kTypes.end()) {
    std::vector<std::string_view> names;
    names.reserve(kTypes.size());
    for (const auto& each : kTypes) names.push_back(each.name);
    return fail(
        ErrorCode::not_found, "types",
        fmt::format("'{}' are no types of a product; there are {}", product.types, fmt::join(names, ", ")));
  }
  if (std::ranges::find(kLayouts, product.layout) == std::end(kLayouts)) {
    return fail(ErrorCode::not_found, "layouts",
                fmt::format("'{}' is no layout; there are {}", product.layout, fmt::join(kLayouts, ", ")));
  }
  Problem problem;
  problem.m = product.m;
  problem.n = product.n;
  problem.k = product.k;
  problem.a.type = types->a;
  problem.b.type = types->b;
  problem.c.type = types->c;
  problem.accumulate = types->accumulate;
  const bool quantised = types->block != 0;
  if (quantised) problem.quantization = {types->block, DataType::f16, false};
  if (product.layout[0] == 't') problem.trans_a = Transpose::transpose;
  if (quantised || product.layout[1] == 't') problem.trans_b = Transpose::transpose;
  if (product.batch != 1) {
    auto& batch = problem.batch;
    batch.rank = 1;
    batch.extents[0] = product.batch;
    batch.a[0] = product.m * product.k;
    batch.b[0] = quantised ? 0 : product.k * product.n;
    batch.c[0] = product.m * product.n;
  }
  return problem;
}

std::string sizes_of(const Product& product) {
  const auto one = fmt::format("{}x{}x{}", product.m, product.n, product.k);
  return product.batch == 1 ? one : fmt::format("{} x {}", product.batch, one);
}

}  // namespace wgemm::bench
