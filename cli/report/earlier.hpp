// An earlier benchmark, or a peer's, as its file has it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/row.hpp"
#include "wgemm/error.hpp"

namespace wgemm::cli {

struct Earlier {
  std::string path;
  std::string peer;              ///< what was measured, where it was not wgemm
  std::vector<bench::Row> rows;  ///< as far as a comparison needs them: how they were run, and how long
  nlohmann::ordered_json json;   ///< all of the file
};

/// Errors: not_found, io, invalid_argument (no JSON of a benchmark); each names the file.
Result<Earlier> read_earlier(const std::string& path);

/// The row that is most like `row`: of the same product, if it can be with the same kernel, split, shaders
/// and preparation of B. nullptr: no row is of the same product.
const bench::Row* find_earlier(const Earlier& earlier, const bench::Row& row);

/// How the row was run otherwise there than here; empty: alike.
std::string differences(const Earlier& earlier, const bench::Row& there, const bench::Row& here);

/// The conditions that both reports state and that differ, each as "driver: 570 there, 580 here".
std::vector<std::string> differences(const Earlier& earlier, const nlohmann::ordered_json& here);

}  // namespace wgemm::cli
