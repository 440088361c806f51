#include "native/adapter/backend.hpp"

#include <fmt/format.h>

namespace wgemm::native {

namespace {

constexpr WGPUBackendType platform_backend() {
#if defined(_WIN32)
  return WGPUBackendType_D3D12;
#elif defined(__APPLE__)
  return WGPUBackendType_Metal;
#else
  return WGPUBackendType_Vulkan;
#endif
}

}  // namespace

Result<WGPUBackendType> parse_backend(std::string_view name) {
  if (name.empty()) {
    return platform_backend();
  }
  for (const WGPUBackendType backend : {WGPUBackendType_Vulkan, WGPUBackendType_Metal, WGPUBackendType_D3D12,
                                        WGPUBackendType_OpenGLES, WGPUBackendType_Null}) {
    if (name == backend_name(backend)) {
      return backend;
    }
  }
  return fail(ErrorCode::invalid_argument, "backend",
              fmt::format("no backend \"{}\": choose vulkan, metal, d3d12 or gl", name));
}

std::string_view backend_name(WGPUBackendType backend) {
  switch (backend) {
    case WGPUBackendType_Vulkan:
      return "vulkan";
    case WGPUBackendType_Metal:
      return "metal";
    case WGPUBackendType_D3D12:
      return "d3d12";
    case WGPUBackendType_OpenGL:
    case WGPUBackendType_OpenGLES:
      return "gl";
    case WGPUBackendType_Null:
      return "null";
    default:
      return "other";
  }
}

WgpuBackends wgpu_backend(WGPUBackendType backend) {
  switch (backend) {
    case WGPUBackendType_Metal:
      return kWgpuMetal;
    case WGPUBackendType_D3D12:
      return kWgpuDx12;
    case WGPUBackendType_OpenGL:
    case WGPUBackendType_OpenGLES:
      return kWgpuGl;
    default:
      return kWgpuVulkan;
  }
}

}  // namespace wgemm::native
