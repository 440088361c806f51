// One row of a benchmark: a product, how it was asked for, and what came of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/outcome.hpp"
#include "bench/product.hpp"
#include "wgemm/error.hpp"

namespace wgemm::bench {

/// Whether shaders run with the bounds checks that the WebGPU library adds, without, or each in turn.
enum class Shaders : std::uint8_t { checked, unchecked, both };

struct Row : Outcome {
  Product product;
  std::string wanted_kernel;       ///< full name; empty: the engine's choice
  std::uint32_t wanted_split = 0;  ///< parts of k; 0: the engine's choice
  bool prepared = false;           ///< B was prepared once and is not in the time
  bool wanted_unchecked = false;   ///< shaders without bounds checks were allowed
};

/// What rows vary besides their products.
struct Variations {
  std::vector<std::string> types;     ///< empty: as the products say
  std::vector<std::string> layouts;   ///< empty: as the products say
  std::vector<std::string> kernels;   ///< full names, "" for the engine's choice; empty: that alone
  std::vector<std::uint32_t> splits;  ///< empty: the engine's choice
  bool prepared = false;              ///< each row again with B prepared once
  bool unprepared = true;             ///< each row with its B as it is given
};

/// Every combination, without figures; no two alike. Errors: of problem_of and wgemm::validate.
Result<std::vector<Row>> rows_of(const std::vector<Product>& products, const Variations& variations);

}  // namespace wgemm::bench
