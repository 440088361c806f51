#include "cli/report/json.hpp"

#include <utility>

#include "cli/report/figures.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

template <typename T>
Json known(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json conditions_json(const bench::Conditions& conditions) {
  const auto& profile = conditions.profile;
  return {{"adapter", profile.name},
          {"adapter_type", to_string(profile.type)},
          {"choice", conditions.choice},
          {"vendor", profile.vendor},
          {"architecture", profile.architecture},
          {"driver", profile.driver},
          {"backend", profile.backend},
          {"library", profile.library},
          {"library_version", conditions.library_version},
          {"library_path", conditions.library_path},
          {"minimum_limits", conditions.minimum_limits},
          {"timestamp_quantum_ns", conditions.timestamp_quantum_ns},
          {"cpu", conditions.cpu},
          {"cpu_threads", conditions.cpu_threads},
          {"blas", conditions.blas},
          {"os", conditions.os},
          {"compiler", conditions.compiler},
          {"date", conditions.date},
          {"profile", Json::parse(to_json(profile))}};
}

}  // namespace

Json to_json(const bench::Session& session, const std::string& command) {
  const auto& roofline = session.roofline;
  return {{"version", kFormat},
          {"wgemm", WGEMM_VERSION},
          {"command", command},
          {"seed", session.seed},
          {"conditions", conditions_json(session.conditions)},
          {"roofline",
           {{"bytes_per_second", roofline.bytes_per_second},
            {"flops_per_second", roofline.flops_per_second},
            {"empty_dispatch_ms", roofline.empty_dispatch_ms},
            {"timing", to_string(roofline.source)}}}};
}

Json to_json(const bench::Outcome& outcome) {
  Json json{{"kernel", outcome.kernel},
            {"status", to_string(outcome.status)},
            {"reason", outcome.reason},
            {"note", outcome.note}};
  const auto& time = outcome.time;
  const auto of_time = [&](auto member) { return time ? Json((*time).*member) : Json(); };
  const bool sampled = time && time->samples > 0;
  json["ms"] = of_time(&Measurement::ms);
  json["ms_min"] = sampled ? Json(time->minimum_ms) : Json();
  json["ms_max"] = sampled ? Json(time->maximum_ms) : Json();
  json["spread"] = sampled ? Json(time->spread) : Json();
  json["spread_reached"] = sampled ? Json(time->spread_reached) : Json();
  json["samples"] = of_time(&Measurement::samples);
  json["repeats"] = of_time(&Measurement::repeats);
  json["timing"] = time ? Json(to_string(time->source)) : Json();
  json["gflops"] = known(outcome.gflops);
  json["gigabytes_per_second"] = known(outcome.gigabytes_per_second);
  json["roofline_share"] = known(outcome.roofline_share);
  json["intensity"] = known(outcome.intensity);
  json["error_over_bound"] = known(outcome.error_over_bound);
  json["exact"] = known(outcome.exact);
  json["elements_compared"] = outcome.compared;
  json["identity"] = outcome.identity;
  json["split_k"] = outcome.split_k;
  json["steps"] = outcome.steps;
  json["shaders"] = outcome.unchecked_shaders ? "unchecked" : "checked";
  json["copies_ms"] = known(outcome.copies_ms);
  json["start"] = {{"shader_ms", outcome.start.shader_ms},
                   {"pipeline_ms", outcome.start.pipeline_ms},
                   {"first_dispatch_ms", outcome.start.first_dispatch_ms}};
  return json;
}

Json to_json(const ladder::Row& row) {
  Json json{{"name", row.name},
            {"kind", to_string(row.kind)},
            {"step", row.step},
            {"adds", row.adds},
            {"group", row.group}};
  json.update(to_json(static_cast<const bench::Outcome&>(row)));
  json["speedup_before"] = known(row.speedup_before);
  json["speedup_naive"] = known(row.speedup_naive);
  json["operands"] = to_string(row.operands);
  json["edges"] = to_string(row.edges);
  json["rows_share"] = row.rows_share;
  if (!row.on_device) json["shaders"] = nullptr;
  if (!row.on_device || row.kind == ladder::Kind::baseline) json["start"] = nullptr;
  return json;
}

Json to_json(const ladder::Report& report, const std::string& command) {
  auto rungs = Json::array();
  auto sweep = Json::array();
  for (const auto& row : report.rows)
    (row.kind == ladder::Kind::sweep ? sweep : rungs).push_back(to_json(row));
  auto json = to_json(static_cast<const bench::Session&>(report), command);
  json["status"] = report.good() ? "ok" : "failed";
  json["problem"] = {{"m", report.problem.m}, {"n", report.problem.n}, {"k", report.problem.k}};
  json["roofline"]["attainable_flops_per_second"] = attainable(report);
  json["rungs"] = std::move(rungs);
  json["sweep"] = std::move(sweep);
  return json;
}

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace wgemm::cli
