#include "cli/report/bench_json.hpp"

#include <utility>

#include "cli/report/json.hpp"

namespace wgemm::cli {

using Json = nlohmann::ordered_json;

Json question_json(const bench::Row& row) {
  const auto& product = row.product;
  Json json{{"suite", product.suite}, {"label", product.label},  {"m", product.m},
            {"n", product.n},         {"k", product.k},          {"batch", product.batch},
            {"types", product.types}, {"layout", product.layout}};
  if (const auto problem = bench::problem_of(product)) {
    json["type_a"] = to_string(problem->a.type);
    json["type_b"] = to_string(problem->b.type);
    json["type_c"] = to_string(problem->c.type);
    json["sums_in_f16"] = problem->accumulate == Accumulate::f16;
    json["block"] = problem->quantization.block;
    json["flops"] = problem->flops();
  }
  json["wanted_kernel"] = row.wanted_kernel;
  json["wanted_split"] = row.wanted_split;
  json["prepared"] = row.prepared;
  return json;
}

Json list_json(const std::vector<bench::Row>& rows, const std::string& command) {
  auto list = Json::array();
  for (const auto& row : rows) list.push_back(question_json(row));
  return {{"version", 1}, {"wgemm", WGEMM_VERSION}, {"command", command}, {"rows", std::move(list)}};
}

Json to_json(const bench::Row& row, const std::string& reproduction) {
  auto json = question_json(row);
  json["wanted_shaders"] = row.wanted_unchecked ? "unchecked" : "checked";
  json.update(to_json(static_cast<const bench::Outcome&>(row)));
  auto passes = Json::array();
  for (const auto& pass : row.passes) passes.push_back(pass.ms);
  json["passes_ms"] = row.time ? std::move(passes) : Json();
  json["command"] = reproduction;
  return json;
}

}  // namespace wgemm::cli
