#include "native/library/search.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

namespace wgemm::native {

namespace fs = std::filesystem;

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// The names under which Dawn and wgpu-native are distributed on this system.
std::vector<std::string> file_names(std::string_view name) {
#ifdef _WIN32
  if (name == "dawn") {
    return {"webgpu_dawn.dll"};
  }
  return {"wgpu_native.dll"};
#elif defined(__APPLE__)
  if (name == "dawn") {
    return {"libwebgpu_dawn.dylib"};
  }
  return {"libwgpu_native.dylib"};
#else
  if (name == "dawn") {
    return {"libwebgpu_dawn.so"};
  }
  return {"libwgpu_native.so"};
#endif
}

std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  if (const std::string program = executable_folder(); !program.empty()) {
    const fs::path here(program);
    folders = {here / "webgpu", here.parent_path() / ".deps" / "webgpu",
               here.parent_path() / "lib" / "wgemm"};
  }
#ifdef WGEMM_INSTALLED
  folders.emplace_back(WGEMM_INSTALLED);
#endif
#ifdef WGEMM_DEPS
  folders.push_back(fs::path(WGEMM_DEPS) / "webgpu");
#endif
  return folders;
}

}  // namespace

std::string executable_folder() {
  std::error_code error;
#ifdef _WIN32
  char path[MAX_PATH];
  const DWORD length = GetModuleFileNameA(nullptr, path, MAX_PATH);
  const fs::path file(std::string(path, length < MAX_PATH ? length : 0));
#elif defined(__APPLE__)
  char path[4096];
  std::uint32_t size = sizeof path;
  const fs::path file = _NSGetExecutablePath(path, &size) == 0 ? fs::canonical(path, error) : fs::path();
#else
  const fs::path file = fs::read_symlink("/proc/self/exe", error);
#endif
  return error ? std::string() : file.parent_path().string();
}

std::string requested_library(std::string_view requested) {
  return requested.empty() ? environment("WGEMM_WEBGPU") : std::string(requested);
}

std::vector<std::string> library_candidates(std::string_view name) {
  if (name != "dawn" && name != "wgpu") {
    return {std::string(name)};
  }
  if (std::string chosen = environment(name == "dawn" ? "WGEMM_DAWN_LIBRARY" : "WGEMM_WGPU_LIBRARY");
      !chosen.empty()) {
    return {std::move(chosen)};  // whoever sets it wants this one, and an error where it does not open
  }
  std::vector<std::string> candidates;
  for (const fs::path& folder : own_folders()) {
    for (const std::string& file : file_names(name)) {
      std::error_code error;
      if (fs::exists(folder / file, error)) {
        candidates.push_back((folder / file).string());
      }
    }
  }
  for (const std::string& file : file_names(name)) {
    candidates.push_back(file);
  }
  return candidates;
}

}  // namespace wgemm::native
