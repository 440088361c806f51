// The user's own measured choices, in a file of the user's cache folder. Contexts read it unless they are
// given other data (ContextOptions::tuning).
#pragma once

#include <string>

#include "wgemm/error.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm {

/// The folder of wgemm's files that can be made again: $XDG_CACHE_HOME/wgemm or ~/.cache/wgemm, on macOS
/// ~/Library/Caches/wgemm, on Windows %LOCALAPPDATA%\wgemm. Empty where the environment names none.
std::string cache_folder();

/// `tuning.json` in that folder; empty where there is none.
std::string tuning_file();

/// Errors: not_found (no such file), io, and those of `tuning_from_json`; the message names the file.
Result<TuningData> load_tuning(const std::string& path);

/// Writes the file anew, whole or not at all, and the folder where it is missing. Errors: io.
Result<void> save_tuning(const std::string& path, const TuningData& data);

}  // namespace wgemm
