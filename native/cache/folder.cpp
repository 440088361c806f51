#include <cstdlib>
#include <filesystem>
#include <string>

#include "wgemm/cache_folder.hpp"
#include "wgemm/tuning_file.hpp"

namespace wgemm {

namespace fs = std::filesystem;

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The user's folder for caches; empty where the environment names none.
fs::path user_folder() {
#if defined(_WIN32)
  return variable("LOCALAPPDATA");
#else
  // A relative path is to be ignored, as the XDG base directory specification says.
  if (const fs::path given = variable("XDG_CACHE_HOME"); given.is_absolute()) {
    return given;
  }
  const fs::path home = variable("HOME");
  if (home.empty()) {
    return {};
  }
#if defined(__APPLE__)
  return home / "Library" / "Caches";
#else
  return home / ".cache";
#endif
#endif
}

}  // namespace

std::string cache_folder() {
  const fs::path folder = user_folder();
  return folder.empty() ? std::string() : (folder / "wgemm").string();
}

std::string tuning_file() {
  const std::string folder = cache_folder();
  return folder.empty() ? std::string() : (fs::path(folder) / "tuning.json").string();
}

}  // namespace wgemm
