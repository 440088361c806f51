#include "native/library/library.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "native/library/search.hpp"
#include "native/library/severity.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

void forward_wgpu(WgpuLogLevel level, WGPUStringView message, void* hub) {
  static_cast<LogHub*>(hub)->say(to_severity(level), to_view(message));
}

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Library>, std::less<>> libraries;
};

/// Left alive at process exit on purpose: threads of a WebGPU library may still log.
Registry& registry() {
  static auto* const kept = new Registry();
  return *kept;
}

#if defined(WGEMM_WEBGPU_DIRECT_DAWN)
constexpr std::string_view kDirect = "dawn";
#elif defined(WGEMM_WEBGPU_DIRECT_WGPU)
constexpr std::string_view kDirect = "wgpu";
#endif

}  // namespace

#ifdef WGEMM_WEBGPU_DIRECT

Result<Library*> Library::open(std::string_view name) {
  if (name != kDirect) {
    return fail(ErrorCode::not_found, "webgpu",
                fmt::format("this build of wgemm is linked with {} and opens no other library", kDirect));
  }
  return linked();
}

Result<Library*> Library::adopt(const Loader& /*load*/) { return linked(); }

Result<Library*> Library::linked() {
  Registry& kept = registry();
  const std::lock_guard lock(kept.mutex);
  if (const auto found = kept.libraries.find(kDirect); found != kept.libraries.end()) {
    return found->second.get();
  }
  std::unique_ptr<Library> library(new Library());
  library->path_ = kDirect;
  library->kind_ = kDirect == "dawn" ? LibraryKind::dawn : LibraryKind::wgpu;
  library->link_functions();
  if (Result<void> checked = library->check_version(); !checked) {
    return tl::unexpected(checked.error());
  }
  library->forward_log();
  return kept.libraries.emplace(kDirect, std::move(library)).first->second.get();
}

#else

Result<Library*> Library::open(std::string_view name) {
  Registry& kept = registry();
  const std::lock_guard lock(kept.mutex);
  std::string reasons;
  for (const std::string& file : library_candidates(name)) {
    if (const auto found = kept.libraries.find(file); found != kept.libraries.end()) {
      return found->second.get();
    }
    Result<std::unique_ptr<Library>> loaded = load(file);
    if (loaded) {
      // One object a file, whatever name it was opened by: a library has one log callback.
      const std::string path = (*loaded)->path();
      const auto [position, fresh] = kept.libraries.emplace(path, std::move(*loaded));
      if (fresh) {
        position->second->forward_log();
      }
      return position->second.get();
    }
    if (loaded.error().code != ErrorCode::not_found) {
      return tl::unexpected(loaded.error());
    }
    reasons += (reasons.empty() ? "" : "; ") + loaded.error().message;
  }
  const bool named = name == "dawn" || name == "wgpu";
  return fail(
      ErrorCode::not_found, "webgpu",
      named ? fmt::format("the WebGPU library {} was not found ({}); `python3 tools/setup.py` fetches it, or "
                          "set {} to its path",
                          name, reasons, name == "dawn" ? "WGEMM_DAWN_LIBRARY" : "WGEMM_WGPU_LIBRARY")
            : fmt::format("no WebGPU library \"{}\": give dawn, wgpu or the path of a library ({})", name,
                          reasons));
}

Result<Library*> Library::adopt(const Loader& load) {
  void* const create = load("wgpuCreateInstance");
  if (create == nullptr) {
    return fail(ErrorCode::unsupported, "library", "the loader finds no wgpuCreateInstance");
  }
  const LibraryKind kind = load("wgpuGetVersion") != nullptr ? LibraryKind::wgpu : LibraryKind::dawn;
  Registry& kept = registry();
  const std::lock_guard lock(kept.mutex);
  // Known already, when wgemm opened the very library, or adopted from it before.
  for (const auto& [key, library] : kept.libraries) {
    if (library->kind_ == kind && reinterpret_cast<void*>(library->functions_.CreateInstance) == create) {
      return library.get();
    }
  }
  std::unique_ptr<Library> library(new Library());
  library->kind_ = kind;
  library->path_ = fmt::format("the application's {} at {}", library->capabilities().name, create);
  if (Result<void> filled = library->fill_functions(load); !filled) {
    return tl::unexpected(filled.error());
  }
  // Its log is the application's: no callback is set.
  std::string key = library->path_;
  return kept.libraries.emplace(std::move(key), std::move(library)).first->second.get();
}

Result<std::unique_ptr<Library>> Library::load(const std::string& file) {
  std::unique_ptr<Library> library(new Library());
  Result<SharedObject> object = SharedObject::open(file);
  if (!object) {
    return tl::unexpected(object.error());
  }
  library->path_ = object->path();
  library->object_ = std::move(*object);
  if (library->symbol("wgpuGetVersion") != nullptr) {
    library->kind_ = LibraryKind::wgpu;
  } else if (library->symbol("wgpuCreateInstance") == nullptr) {
    return fail(ErrorCode::unsupported, "webgpu", fmt::format("{} is no WebGPU library", file));
  }
  const Loader load = [&](const char* name) { return library->symbol(name); };
  if (Result<void> filled = library->fill_functions(load); !filled) {
    return tl::unexpected(filled.error());
  }
  return library;
}

#endif

void Library::forward_log() {
  if (functions_.SetLogCallback != nullptr) {
    functions_.SetLogCallback(&forward_wgpu, &log_);
    functions_.SetLogLevel(WgpuLogLevel::warning);
  }
  if (kind_ == LibraryKind::dawn && object_) {
    dawn_logging_.emplace(*object_, log_);
  }
}

void* Library::symbol(const char* name) const { return object_ ? object_->symbol(name) : nullptr; }

}  // namespace wgemm::native
