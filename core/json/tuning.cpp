// Tuning data as versioned JSON text.
#include <cmath>
#include <string>

#include "core/json/tuning_fields.hpp"
#include "core/json/values.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm {
namespace {

constexpr std::string_view kFormat = "wgemm tuning";
/// Changes whenever a reader of the old text would misunderstand the new one.
constexpr std::uint32_t kTuningVersion = 1;

tl::unexpected<Error> wrong(const std::string& where, const std::string& why) {
  return fail(ErrorCode::invalid_argument, where, "tuning data: '" + where + "' " + why);
}

/// Values that no measurement gives. Whether there is such a kernel is asked when one is wanted: another
/// version may have others.
Result<void> check_entry(const TuningEntry& entry, const std::string& path) {
  const auto& [m, n, k, batch, a, b, c, accumulate, a_order, b_order, c_order, aligned, quantization,
               dequantise, epilogue] = entry.problem;
  if (m == 0 || n == 0 || k == 0 || batch == 0) return wrong(path + ".problem", "has a size of 0");
  if (entry.kernel.empty()) return wrong(path + ".kernel", "is empty");
  if (entry.split_k == 0) return wrong(path + ".split_k", "is 0; it is a number of parts");
  if (!(entry.seconds > 0) || !std::isfinite(entry.seconds)) {
    return wrong(path + ".seconds", "is no time above 0");
  }
  if (!(entry.heuristic_seconds >= 0) || !std::isfinite(entry.heuristic_seconds)) {
    return wrong(path + ".heuristic_seconds", "is no time, nor 0");
  }
  return {};
}

}  // namespace

json::Json json::tuning_value(const TuningData& data) {
  Json value{{"format", kFormat}, {"version", kTuningVersion}};
  value.update(Writer::of(data));
  return value;
}

std::string to_json(const TuningData& data) {
  return json::tuning_value(data).dump(1, ' ', /*ensure_ascii=*/false, json::Json::error_handler_t::replace);
}

Result<TuningData> tuning_from_json(std::string_view text) {
  return json::tuning_of(json::Json::parse(text, nullptr, /*allow_exceptions=*/false));
}

Result<TuningData> json::tuning_of(const Json& json) {
  if (!json.is_object()) {
    return fail(ErrorCode::invalid_argument, "tuning", "the tuning data are not a JSON object");
  }
  const auto format = json.find("format");
  if (format == json.end() || *format != kFormat) return wrong("format", "is not 'wgemm tuning'");
  const auto version = json.find("version");
  if (version == json.end() || *version != kTuningVersion) {
    return fail(ErrorCode::unsupported, "version",
                "tuning data: 'version' is " + (version == json.end() ? "missing" : version->dump()) +
                    "; this wgemm reads version " + std::to_string(kTuningVersion));
  }
  TuningData data;
  Reader reader(json, "tuning data", Rules{});
  fields(reader, data);
  if (auto done = reader.result(); !done) return tl::unexpected(done.error());
  for (std::size_t i = 0; i < data.entries.size(); ++i) {
    const auto path = "entries[" + std::to_string(i) + "]";
    if (auto done = check_entry(data.entries[i], path); !done) return tl::unexpected(done.error());
  }
  return data;
}

}  // namespace wgemm
