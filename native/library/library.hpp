// A WebGPU library that is ready to be called.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "native/library/capabilities.hpp"
#include "native/library/dawn_logging.hpp"
#include "native/library/functions.hpp"
#include "native/library/log_hub.hpp"
#include "native/library/shared_object.hpp"
#include "wgemm/error.hpp"

namespace wgemm::native {

/// The address of a function by its name, nullptr where there is none.
using Loader = std::function<void*(const char* name)>;

/// One per file and process, since libraries log per process and are never unloaded.
class Library {
 public:
  /// Opens "dawn", "wgpu", or the file at a path. Errors: not_found (no such file; what to do), unsupported
  /// (a version or a function that wgemm does not know).
  static Result<Library*> open(std::string_view name);
  /// The library that an application has open; its log stays the application's. A library that is known
  /// already is found again. Errors: unsupported.
  static Result<Library*> adopt(const Loader& load);

  [[nodiscard]] LibraryKind kind() const { return kind_; }
  [[nodiscard]] const Capabilities& capabilities() const { return capabilities_of(kind_); }
  [[nodiscard]] const Functions& functions() const { return functions_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// "29.0.0.0", or "unknown" where the library tells none.
  [[nodiscard]] const std::string& version() const { return version_; }
  /// Any exported symbol; nullptr where there is none, or where wgemm did not open the library
  /// itself.
  [[nodiscard]] void* symbol(const char* name) const;
  [[nodiscard]] LogHub& log() { return log_; }
  /// What to chain to an instance so that it logs instead of printing; empty on libraries that need no such
  /// thing.
  [[nodiscard]] std::optional<DawnInstanceLogging> instance_logging() const { return dawn_logging_; }

  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

 private:
  Library() = default;
#ifdef WGEMM_WEBGPU_DIRECT
  static Result<Library*> linked();
  void link_functions();
#else
  static Result<std::unique_ptr<Library>> load(const std::string& file);
  Result<void> fill_functions(const Loader& load);
#endif
  Result<void> check_version();
  void forward_log();

  std::optional<SharedObject> object_;
  LibraryKind kind_ = LibraryKind::dawn;
  Functions functions_;
  std::string path_;
  std::string version_ = "unknown";
  LogHub log_;
  std::optional<DawnInstanceLogging> dawn_logging_;
};

}  // namespace wgemm::native
