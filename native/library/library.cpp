#include "native/library/library.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <map>
#include <mutex>

#ifdef WGEMM_WEBGPU_DIRECT_WGPU
#include <wgpu.h>
#endif

#include "native/library/search.hpp"
#include "native/library/severity.hpp"
#include "native/string_view.hpp"

#if defined(WGEMM_WEBGPU_DIRECT_DAWN) && !defined(WGPU_DAWN_TOGGLES_DESCRIPTOR_INIT)
// Dawn linked, but compiled against the standard header, which does not declare what Dawn adds.
extern "C" {
void wgpuAdapterPropertiesSubgroupMatrixConfigsFreeMembers(wgemm::native::DawnSubgroupMatrixConfigs);
void wgpuDeviceSetLoggingCallback(WGPUDevice, wgemm::native::DawnLoggingCallbackInfo);
}
#endif

namespace wgemm::native {

namespace {

#ifndef WGEMM_WEBGPU_DIRECT
/// Functions that releases of Dawn before 2025 export under another signature or name; their callbacks would
/// crash.
constexpr std::array<const char*, 4> kOutdated = {
    "wgpuDeviceSetUncapturedErrorCallback", "wgpuInstanceRequestAdapterF", "wgpuInstanceRequestAdapter2",
    "wgpuAdapterEnumerateFeatures"};
#endif

void forward_wgpu(WgpuLogLevel level, WGPUStringView message, void* hub) {
  static_cast<LogHub*>(hub)->say(to_severity(level), to_view(message));
}

std::string version_text(std::uint32_t version) {
  return fmt::format("{}.{}.{}.{}", version >> 24, version >> 16 & 0xFF, version >> 8 & 0xFF, version & 0xFF);
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

void Library::link_functions(){
#define X(name) functions_.name = &wgpu##name;
    WGEMM_WEBGPU_FUNCTIONS(X)
#ifdef WGEMM_WEBGPU_DIRECT_DAWN
        WGEMM_DAWN_STANDARD_FUNCTIONS(X)
#endif
#undef X
#define X(name, type) functions_.name = std::bit_cast<type>(&wgpu##name);
#ifdef WGEMM_WEBGPU_DIRECT_WGPU
            WGEMM_WGPU_FUNCTIONS(X)
#else
        WGEMM_DAWN_FUNCTIONS(X)
#endif
#undef X
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

Result<void> Library::fill_functions(const Loader& load) {
  const char* missing = nullptr;
  const auto find = [&](auto& field, const char* name) {
    field = reinterpret_cast<std::remove_reference_t<decltype(field)>>(load(name));
    if (field == nullptr) {
      missing = name;
    }
  };
#define X(name) find(functions_.name, "wgpu" #name);
  WGEMM_WEBGPU_FUNCTIONS(X)
  if (kind_ == LibraryKind::dawn) {
    WGEMM_DAWN_STANDARD_FUNCTIONS(X)
  }
#undef X
#define X(name, type) find(functions_.name, "wgpu" #name);
  if (kind_ == LibraryKind::wgpu) {
    WGEMM_WGPU_FUNCTIONS(X)
  }
  if (missing != nullptr) {
    return fail(ErrorCode::unsupported, missing,
                fmt::format("{} has no function {}; wgemm supports wgpu-native {} and Dawn of 2025 or later",
                            path_, missing, kWgpuCapabilities.supported_version));
  }
  // Dawn may be built without these; wgemm then goes without logging and matrix configurations.
  if (kind_ == LibraryKind::dawn) {
    WGEMM_DAWN_FUNCTIONS(X)
  }
#undef X
  for (const char* name : kOutdated) {
    if (load(name) != nullptr) {
      return fail(ErrorCode::unsupported, "webgpu",
                  fmt::format("{} is older than the standard webgpu.h of 2025 (it exports {}); "
                              "`python3 tools/setup.py` fetches a current one",
                              path_, name));
    }
  }
  return check_version();
}

#endif

Result<void> Library::check_version() {
  if (kind_ == LibraryKind::wgpu && functions_.GetVersion != nullptr) {
    const std::uint32_t version = functions_.GetVersion();
    version_ = version_text(version);
    if (version >> 24 != kWgpuCapabilities.supported_version) {
      return fail(ErrorCode::unsupported, "webgpu",
                  fmt::format("{} is wgpu-native {}; wgemm supports version {}", path_, version_,
                              kWgpuCapabilities.supported_version));
    }
  }
  return {};
}

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
