// A shader's text compiled by the WebGPU library.
#pragma once

#include "native/context/device.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::native {

/// With or without bounds checks, as the device was opened and the shader is proven. Errors: compilation,
/// with the library's message.
Result<Handle<WGPUShaderModule>> create_shader_module(Device& device, const Shader& shader);

}  // namespace wgemm::native
