// The graphics interface underneath WebGPU, by the names that ContextOptions::backend takes.
#pragma once

#include <webgpu.h>

#include <string_view>

#include "native/extensions.hpp"
#include "wgemm/error.hpp"

namespace wgemm::native {

/// "" is the platform's own. Errors: invalid_argument for a name that is none.
Result<WGPUBackendType> parse_backend(std::string_view name);

/// "vulkan", "metal", "d3d12", "gl", "null"; "other" for what wgemm does not ask for.
std::string_view backend_name(WGPUBackendType backend);

/// The bit of that backend in wgpu-native's masks.
WgpuBackends wgpu_backend(WGPUBackendType backend);

}  // namespace wgemm::native
