// The calls, by group. Each takes its request and gives the result, both as JSON values.
#pragma once

#include "core/json/archive.hpp"
#include "wgemm/error.hpp"

namespace wgemm::wasm {

using json::Json;

// plans.cpp
Result<Json> plan(const Json& request);
Result<Json> split(const Json& request);
Result<Json> describe(const Json& request);

// panels.cpp
Result<Json> panels(const Json& request);
Result<Json> panel(const Json& request);

// kernels.cpp
Result<Json> kernels(const Json& request);
Result<Json> configurations(const Json& request);
Result<Json> canonical_kernel_name(const Json& request);
Result<Json> ladder(const Json& request);

// profiles.cpp
Result<Json> profiles(const Json& request);
Result<Json> profile(const Json& request);
Result<Json> minimum_profile(const Json& request);

// tuning.cpp
Result<Json> next_trial(const Json& request);
Result<Json> tuning_entry(const Json& request);
Result<Json> merge_tuning(const Json& request);

// version.cpp
Result<Json> version(const Json& request);

}  // namespace wgemm::wasm
