#include "bench/row.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace wgemm::bench {
namespace {

/// All that makes a row different from others.
std::string key_of(const Row& row) {
  const auto& product = row.product;
  return fmt::format("{} {} {} {} {} {}", sizes_of(product), product.types, product.layout, row.wanted_kernel,
                     row.wanted_split, row.prepared);
}

template <typename T>
std::vector<T> or_one(const std::vector<T>& values, T value) {
  return values.empty() ? std::vector<T>{std::move(value)} : values;
}

/// The product in each of the types and layouts.
Result<std::vector<Product>> variants_of(const Product& product, const Variations& variations) {
  std::vector<Product> variants;
  for (const auto& types : or_one(variations.types, product.types)) {
    for (const auto& layout : or_one(variations.layouts, product.layout)) {
      auto& variant = variants.emplace_back(product);
      variant.types = types;
      variant.layout = layout;
      const auto problem = problem_of(variant);
      if (!problem) return tl::unexpected(problem.error());
      if (auto done = validate(*problem); !done) return tl::unexpected(done.error());
      // Weights lie one way only.
      if (problem->trans_b == Transpose::transpose) variant.layout[1] = 't';
    }
  }
  return variants;
}

/// The ways in which a product is run.
std::vector<Row> ways_of(const Product& product, const Variations& variations) {
  std::vector<Row> rows;
  for (const auto& kernel : or_one(variations.kernels, std::string())) {
    for (const auto split : or_one(variations.splits, std::uint32_t{0})) {
      for (const bool prepared : {false, true}) {
        if (!(prepared ? variations.prepared : variations.unprepared)) continue;
        Row row;
        row.product = product;
        row.wanted_kernel = row.kernel = kernel;
        row.wanted_split = split;
        row.prepared = prepared;
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

}  // namespace

Result<std::vector<Row>> rows_of(const std::vector<Product>& products, const Variations& variations) {
  std::vector<Row> rows;
  std::set<std::string> seen;
  for (const auto& product : products) {
    const auto variants = variants_of(product, variations);
    if (!variants) return tl::unexpected(variants.error());
    for (const auto& variant : *variants) {
      for (auto& row : ways_of(variant, variations)) {
        if (seen.insert(key_of(row)).second) rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

}  // namespace wgemm::bench
