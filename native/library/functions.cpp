// Fills the table of a library's functions: with linked ones, or looked up by name.
#include "native/library/functions.hpp"

#include <fmt/format.h>

#include <array>

#ifdef WGEMM_WEBGPU_DIRECT_WGPU
#include <wgpu.h>
#endif

#include "native/library/library.hpp"

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

std::string version_text(std::uint32_t version) {
  return fmt::format("{}.{}.{}.{}", version >> 24, version >> 16 & 0xFF, version >> 8 & 0xFF, version & 0xFF);
}

}  // namespace

#ifdef WGEMM_WEBGPU_DIRECT

void Library::link_functions(){
#define X(name) functions_.name = &wgpu##name;
    WGEMM_WEBGPU_FUNCTIONS(X)
#ifdef WGEMM_WEBGPU_DIRECT_DAWN
        WGEMM_DAWN_STANDARD_FUNCTIONS(X)
#endif
#undef X
#define X(name, type) functions_.name = reinterpret_cast<type>(&wgpu##name);
#ifdef WGEMM_WEBGPU_DIRECT_WGPU
            WGEMM_WGPU_FUNCTIONS(X)
#else
        WGEMM_DAWN_FUNCTIONS(X)
#endif
#undef X
}

#else

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

}  // namespace wgemm::native
