// The interface for applications with a device of their own.
#include "wgemm/webgpu.hpp"

#include <utility>

#include "native/adapter/profile.hpp"
#include "native/context/context_impl.hpp"
#include "native/context/requirements.hpp"
#include "native/execute/record.hpp"

namespace wgemm::webgpu {

namespace {

using native::Access;

Result<native::Library*> find_library(const LibrarySource& source) {
#ifdef WGEMM_WEBGPU_DIRECT
  return native::Library::adopt(source.load);
#else
  return source.load ? native::Library::adopt(source.load) : native::Library::open(source.name);
#endif
}

native::OperandViews views(const Operands& operands) {
  const auto view = [](const BufferRange& range) {
    return range.size == 0 ? native::OperandView()
                           : native::OperandView(range.buffer, range.offset, range.size);
  };
  return {view(operands.a),        view(operands.b),      view(operands.c),    view(operands.bias),
          view(operands.residual), view(operands.scales), view(operands.zeros)};
}

}  // namespace

Result<Context> adopt(const ExternalDevice& external, const ContextOptions& options) {
  Result<native::Library*> library = find_library(external.library);
  if (!library) {
    return tl::unexpected(library.error());
  }
  auto device = native::Device::adopt(**library, external, options);
  if (!device) {
    return tl::unexpected(device.error());
  }
  return Access::adopt(std::move(*device), options, "the application's own device", external.probe);
}

void notify_lost(Context& context, std::string_view message) {
  Access::device(context).errors().lose(message);
}

Result<void> record(Context& context, PreparedPlan& prepared, const Operands& operands,
                    WGPUComputePassEncoder pass) {
  if (Result<void> ours = Access::impl(context).check_prepared(prepared); !ours) {
    return ours;
  }
  if (pass == nullptr) {
    return fail(ErrorCode::invalid_argument, "pass", "a plan needs an encoder to be recorded into");
  }
  Result<void> recorded = native::record_plan(Access::data(prepared), views(operands), pass);
  if (!recorded) {
    return tl::unexpected(native::about(std::move(recorded.error()), prepared.plan()));
  }
  return recorded;
}

Result<void> record(Context& context, PreparedPlan& prepared, const Operands& operands,
                    WGPUCommandEncoder encoder) {
  if (encoder == nullptr) {
    return fail(ErrorCode::invalid_argument, "encoder", "a plan needs an encoder to be recorded into");
  }
  // A lost device begins no pass.
  if (Result<void> alive = Access::device(context).check_alive(); !alive) {
    return alive;
  }
  const native::Functions& gpu = Access::device(context).gpu();
  const WGPUComputePassDescriptor descriptor{};
  const native::Handle<WGPUComputePassEncoder> pass(gpu.CommandEncoderBeginComputePass(encoder, &descriptor),
                                                    gpu.ComputePassEncoderRelease);
  Result<void> recorded = record(context, prepared, operands, pass.get());
  gpu.ComputePassEncoderEnd(pass.get());
  return recorded;
}

WGPUDevice device_of(const Context& context) { return Access::device(context).get(); }
WGPUQueue queue_of(const Context& context) { return Access::device(context).queue(); }
WGPUBuffer buffer_of(const Buffer& buffer) { return buffer ? Access::memory(buffer).get() : nullptr; }

struct DeviceRequirements::Impl {
  std::shared_ptr<const native::Requirements> needs;
};

const WGPUDeviceDescriptor& DeviceRequirements::descriptor() const { return impl_->needs->descriptor; }

std::string_view DeviceRequirements::reason(std::size_t feature) const {
  const std::vector<WGPUFeatureName>& features = impl_->needs->features;
  return feature < features.size() ? native::reason_for(features[feature]) : std::string_view();
}

Result<DeviceRequirements> device_requirements(WGPUAdapter adapter, const LibrarySource& library,
                                               bool unchecked_shaders) {
  if (adapter == nullptr) {
    return fail(ErrorCode::invalid_argument, "adapter", "requirements need an adapter to look at");
  }
  Result<native::Library*> found = find_library(library);
  if (!found) {
    return tl::unexpected(found.error());
  }
  DeviceRequirements requirements;
  requirements.impl_ =
      std::make_shared<const DeviceRequirements::Impl>(DeviceRequirements::Impl{native::requirements(
          **found, adapter, native::adapter_features(**found, adapter), false, unchecked_shaders)});
  return requirements;
}

const WGPUChainedStruct* dawn_toggles(bool unchecked_shaders) {
  static const native::DawnToggles checked = native::dawn_toggles(false);
  static const native::DawnToggles unchecked = native::dawn_toggles(true);
  return unchecked_shaders ? &unchecked.chain : &checked.chain;
}

}  // namespace wgemm::webgpu
