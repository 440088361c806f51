// The user's own measured choices, in a file of the user's cache folder. Contexts read it unless they are
// given other data (ContextOptions::tuning).
#pragma once

#include <string>

#include "wgemm/error.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm {

/// `tuning.json` in `cache_folder` (cache_folder.hpp); empty where there is none.
std::string tuning_file();

/// Errors: not_found (no such file), io, and those of `tuning_from_json`; the message names the file.
Result<TuningData> load_tuning(const std::string& path);

/// Writes the file anew, whole or not at all, and the folder where it is missing. Errors: io.
Result<void> save_tuning(const std::string& path, const TuningData& data);

/// Merges entries into what the file holds, if there is one. Several processes may do so at once, and none of
/// their entries is lost; a file `path`.lock beside it keeps them apart. Errors: as `load_tuning`, but for
/// not_found, and as `save_tuning`.
Result<void> add_tuning(const std::string& path, const TuningData& data);

}  // namespace wgemm
