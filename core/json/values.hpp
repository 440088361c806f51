// Versioned data as JSON values, for those who write them into a larger whole.
#pragma once

#include <cstdint>

#include "core/json/archive.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::json {

/// Changes whenever a reader of the old text would misunderstand the new one.
inline constexpr std::uint32_t kPlanVersion = 1;

/// What to_json writes of a plan.
Json plan_value(const Plan& plan);

/// What to_json writes of tuning data.
Json tuning_value(const TuningData& data);

/// As tuning_from_json; anything that is no object is refused.
Result<TuningData> tuning_of(const Json& json);

}  // namespace wgemm::json
