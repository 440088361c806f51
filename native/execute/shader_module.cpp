#include "native/execute/shader_module.hpp"

#include "native/context/error_scope.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

Result<Handle<WGPUShaderModule>> create_shader_module(Device& device, const Shader& shader) {
  const Functions& gpu = device.gpu();
  WGPUShaderSourceWGSL source{};
  source.chain.sType = WGPUSType_ShaderSourceWGSL;
  source.code = from_view(shader.wgsl);
  WGPUShaderModuleDescriptor descriptor{};
  descriptor.nextInChain = &source.chain;
  descriptor.label = from_view(shader.label);
  ErrorScope scope(device);
  const bool trusted = device.unchecked_shaders() && shader.proven_in_bounds &&
                       device.library().capabilities().unchecked_by_shader;
  constexpr std::uint64_t kNoChecks = 0;
  Handle<WGPUShaderModule> module(
      trusted ? gpu.DeviceCreateShaderModuleTrusted(device.get(), &descriptor, kNoChecks)
              : gpu.DeviceCreateShaderModule(device.get(), &descriptor),
      gpu.ShaderModuleRelease);
  if (Result<void> closed = scope.close(ErrorCode::compilation, shader.label); !closed) {
    return tl::unexpected(closed.error());
  }
  return module;
}

}  // namespace wgemm::native
