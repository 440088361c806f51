// Where files lie that wgemm can make again.
#pragma once

#include <string>

namespace wgemm {

/// $XDG_CACHE_HOME/wgemm or ~/.cache/wgemm, on macOS ~/Library/Caches/wgemm, on Windows %LOCALAPPDATA%\wgemm.
/// Empty where the environment names none.
std::string cache_folder();

}  // namespace wgemm
