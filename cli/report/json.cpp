#include "cli/report/json.hpp"

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

Json to_json(const ladder::Row& row) {
  Json json{
      {"name", row.name},     {"kind", to_string(row.kind)},     {"step", row.step},     {"adds", row.adds},
      {"kernel", row.kernel}, {"status", to_string(row.status)}, {"reason", row.reason}, {"note", row.note},
      {"group", row.group}};
  const auto& time = row.time;
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
  json["gflops"] = known(row.gflops);
  json["speedup_before"] = known(row.speedup_before);
  json["speedup_naive"] = known(row.speedup_naive);
  json["roofline_share"] = known(row.roofline_share);
  json["intensity"] = known(row.intensity);
  json["error_over_bound"] = known(row.error_over_bound);
  json["exact"] = known(row.exact);
  json["operands"] = to_string(row.operands);
  json["edges"] = ladder::to_string(row.edges);
  json["shaders"] = row.on_device ? Json(row.unchecked_shaders ? "unchecked" : "checked") : Json();
  json["copies_ms"] = known(row.copies_ms);
  json["rows_share"] = row.rows_share;
  const bool started = row.on_device && row.kind != ladder::Kind::baseline;
  json["start"] = started ? Json{{"shader_ms", row.start.shader_ms},
                                 {"pipeline_ms", row.start.pipeline_ms},
                                 {"first_dispatch_ms", row.start.first_dispatch_ms}}
                          : Json();
  return json;
}

Json to_json(const ladder::Report& report, const std::string& command) {
  const auto& roofline = report.roofline;
  auto rungs = Json::array();
  auto sweep = Json::array();
  for (const auto& row : report.rows)
    (row.kind == ladder::Kind::sweep ? sweep : rungs).push_back(to_json(row));
  return {{"version", kFormat},
          {"wgemm", WGEMM_VERSION},
          {"command", command},
          {"status", report.good() ? "ok" : "failed"},
          {"problem", {{"m", report.problem.m}, {"n", report.problem.n}, {"k", report.problem.k}}},
          {"seed", report.seed},
          {"conditions", conditions_json(report.conditions)},
          {"roofline",
           {{"bytes_per_second", roofline.bytes_per_second},
            {"flops_per_second", roofline.flops_per_second},
            {"attainable_flops_per_second", attainable(report)},
            {"empty_dispatch_ms", roofline.empty_dispatch_ms},
            {"timing", to_string(roofline.source)}}},
          {"rungs", rungs},
          {"sweep", sweep}};
}

}  // namespace wgemm::cli
