// `wgemm run --check`: whether C is the product of A and B, as far as rounding allows.
#pragma once

#include <string>

#include "verify/host_matrix.hpp"
#include "wgemm/error.hpp"

namespace wgemm::cli {

/// One line on how near C is to a float64 product of the same numbers. Errors: internal (C is wrong),
/// unsupported (numbers for which no error bound exists).
Result<std::string> check_product(const verify::HostMatrix& a, const verify::HostMatrix& b,
                                  const verify::HostMatrix& c);

}  // namespace wgemm::cli
