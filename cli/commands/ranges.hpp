// Sizes as they are typed: values, ranges, shapes.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/product.hpp"
#include "wgemm/error.hpp"

namespace wgemm::cli {

/// "33" as 33; "64:192:64" as 64, 128, 192: start, end (taken too where a step lands on it), step; "1:4" with
/// a step of 1. Errors: invalid_argument, naming `option`.
Result<std::vector<std::uint64_t>> parse_range(const std::string& option, std::string_view text);

/// Of several such words, one after the other.
Result<std::vector<std::uint64_t>> parse_ranges(const std::string& option,
                                                const std::vector<std::string>& words);

/// "1x4096x4096" as m x n x k; a number or a range as squares.
Result<std::vector<bench::Product>> parse_shapes(const std::string& option,
                                                 const std::vector<std::string>& words);

}  // namespace wgemm::cli
