#include "native/library/shared_object.hpp"

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

Result<SharedObject> SharedObject::open(const std::string& name) {
  SharedObject object;
  object.handle_ = static_cast<void*>(LoadLibraryA(name.c_str()));
  if (object.handle_ == nullptr) {
    return fail(ErrorCode::not_found, name,
                "cannot open " + name + ": LoadLibrary error " + std::to_string(GetLastError()));
  }
  char path[MAX_PATH];
  const DWORD length = GetModuleFileNameA(static_cast<HMODULE>(object.handle_), path, MAX_PATH);
  object.path_ = length > 0 && length < MAX_PATH ? std::string(path, length) : name;
  return object;
}

void* SharedObject::symbol(const char* name) const {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

#else

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
    Dl_info info{};
    if (dladdr(known, &info) != 0 && info.dli_fname != nullptr) {
      object.path_ = info.dli_fname;
    }
  }
  return object;
}

void* SharedObject::symbol(const char* name) const { return dlsym(handle_, name); }

#endif

}  // namespace wgemm::native
