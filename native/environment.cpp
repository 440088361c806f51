#include "wgemm/environment.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "native/library/search.hpp"

namespace wgemm {

namespace fs = std::filesystem;

namespace {

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

void set(const char* name, const std::string& value) {
#ifdef _WIN32
  _putenv_s(name, value.c_str());
#else
  setenv(name, value.c_str(), 1);
#endif
}

std::vector<fs::path> bundled_drivers() {
  const std::string program = native::executable_folder();
  if (program.empty()) {
    return {};
  }
  std::vector<fs::path> folders = {fs::path(program).parent_path() / ".deps" / "vulkan",
                                   fs::path(program) / "vulkan"};
#ifdef WGEMM_INSTALLED
  folders.push_back(fs::path(WGEMM_INSTALLED) / "vulkan");
#endif
#ifdef WGEMM_DEPS
  folders.push_back(fs::path(WGEMM_DEPS) / "vulkan");
#endif
  for (const fs::path& folder : folders) {
    std::vector<fs::path> drivers;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      if (entry->path().extension() == ".json") {
        drivers.push_back(entry->path());
      }
    }
    if (!drivers.empty()) {
      return drivers;
    }
  }
  return {};
}

}  // namespace

void prepare_environment() {
  if (!is_set("VK_DRIVER_FILES") && !is_set("VK_ICD_FILENAMES") && !is_set("VK_ADD_DRIVER_FILES")) {
    std::string list;
    for (const fs::path& driver : bundled_drivers()) {
#ifdef _WIN32
      list += (list.empty() ? "" : ";") + driver.string();
#else
      list += (list.empty() ? "" : ":") + driver.string();
#endif
    }
    if (!list.empty()) {
      set("VK_ADD_DRIVER_FILES", list);
    }
  }
#ifndef _WIN32
  if (!is_set("XDG_RUNTIME_DIR")) {
    std::error_code error;
    if (const fs::path folder = fs::temp_directory_path(error); !error) {
      set("XDG_RUNTIME_DIR", folder.string());
    }
  }
#endif
}

}  // namespace wgemm
