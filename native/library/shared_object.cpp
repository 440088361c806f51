#include "native/library/shared_object.hpp"

#include <utility>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace wgemm::native {

#ifdef _WIN32

std::string file_of(const void* address) {
  HMODULE module = nullptr;
  GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                     static_cast<LPCSTR>(address), &module);
  char path[MAX_PATH];
  const DWORD length = module != nullptr ? GetModuleFileNameA(module, path, MAX_PATH) : 0;
  return length < MAX_PATH ? std::string(path, length) : std::string();
}

Result<SharedObject> SharedObject::open(const std::string& name) {
  SharedObject object;
  object.handle_ = static_cast<void*>(LoadLibraryA(name.c_str()));
  if (object.handle_ == nullptr) {
    return fail(ErrorCode::not_found, name,
                "cannot open " + name + ": LoadLibrary error " + std::to_string(GetLastError()));
  }
  const std::string file = file_of(object.handle_);
  object.path_ = file.empty() ? name : file;
  return object;
}

void* SharedObject::symbol(const char* name) const {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

#else

std::string file_of(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

Result<SharedObject> SharedObject::open(const std::string& name) {
  SharedObject object;
  // RTLD_LOCAL: two WebGPU libraries in one process export the same names.
  object.handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object.handle_ == nullptr) {
    const char* reason = dlerror();
    return fail(ErrorCode::not_found, name,
                "cannot open " + name + ": " + (reason != nullptr ? reason : "unknown reason"));
  }
  object.path_ = name;
  if (void* known = dlsym(object.handle_, "wgpuCreateInstance"); known != nullptr) {
    if (std::string file = file_of(known); !file.empty()) {
      object.path_ = std::move(file);
    }
  }
  return object;
}

void* SharedObject::symbol(const char* name) const { return dlsym(handle_, name); }

#endif

}  // namespace wgemm::native
