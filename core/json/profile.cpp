// Device profiles as JSON text. A reader takes what is there: every field has a default.
#include <string>

#include "core/json/profile_fields.hpp"
#include "wgemm/device_profile.hpp"

namespace wgemm {
std::string to_json(const DeviceProfile& profile) { return json::Writer::of(profile).dump(2); }

Result<DeviceProfile> profile_from_json(std::string_view text) {
  const auto json = json::Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return fail(ErrorCode::invalid_argument, "profile", "the profile is not a JSON object");
  }
  DeviceProfile profile;
  json::Reader reader(json, "profile", {.may_miss = true});
  fields(reader, profile);
  return reader.result().map([&] { return profile; });
}

}  // namespace wgemm
