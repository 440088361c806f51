// `wgemm run --check`: whether the result is what it should be, as far as rounding allows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/product/product.hpp"
#include "wgemm/error.hpp"

namespace wgemm::cli {

/// One line on how near product.out is to a float64 result of the same numbers; `before` is what stood in its
/// place before, of use where beta is not 0. Takes the memory of product.inputs. Errors: internal (it is
/// wrong), unsupported (numbers for which no error bound exists).
Result<std::string> check_product(Product& product, std::vector<std::byte> before);

}  // namespace wgemm::cli
