// Lists of products that come with the program.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bench/product.hpp"
#include "wgemm/error.hpp"

namespace wgemm::bench {

struct Suite {
  std::string_view name;
  std::string_view summary;  ///< one line
};

std::span<const Suite> list_suites();

/// The products of a suite, in f32. Errors: not_found (the message lists the suites).
Result<std::vector<Product>> suite_products(std::string_view name);

}  // namespace wgemm::bench
