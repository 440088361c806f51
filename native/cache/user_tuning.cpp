#include "native/cache/user_tuning.hpp"

#include "wgemm/tuning_file.hpp"

namespace wgemm::native {

std::shared_ptr<const TuningData> user_tuning(const LogCallback& log) {
  auto data = std::make_shared<TuningData>();
  if (const std::string path = tuning_file(); !path.empty()) {
    if (Result<TuningData> own = load_tuning(path); own) {
      *data = std::move(*own);
    } else if (own.error().code != ErrorCode::not_found && log) {
      log(Severity::warning, "measured choices are ignored: " + own.error().message);
    }
  }
  // Behind the user's own: of two entries that serve alike, the first counts.
  const auto& shipped = shipped_tuning().entries;
  data->entries.insert(data->entries.end(), shipped.begin(), shipped.end());
  return data;
}

}  // namespace wgemm::native
