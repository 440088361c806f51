// A shared library of the operating system, opened by path. The only file that knows dlopen and LoadLibrary.
#pragma once

#include <string>

#include "wgemm/error.hpp"

namespace wgemm::native {

/// The shared library, or the program, that holds the code or data at an address; empty where the system does
/// not tell.
std::string file_of(const void* address);

/// Opens a shared library and never closes it: WebGPU libraries keep threads and per-thread state alive, so
/// unloading them crashes at process exit.
class SharedObject {
 public:
  /// `name`: a path, or a bare file name that the system's loader looks up. Errors: not_found, with the
  /// loader's words.
  static Result<SharedObject> open(const std::string& name);

  /// nullptr where the symbol is not exported.
  [[nodiscard]] void* symbol(const char* name) const;
  /// File that the loader took, as far as it tells; else the name that was opened.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void* handle_ = nullptr;
  std::string path_;
};

}  // namespace wgemm::native
