// How a context comes to its device.
#include <utility>
#include <vector>

#include "native/adapter/backend.hpp"
#include "native/adapter/choice.hpp"
#include "native/adapter/missing.hpp"
#include "native/cache/user_tuning.hpp"
#include "native/context/context_impl.hpp"
#include "native/context/subgroup_size.hpp"
#include "native/library/search.hpp"

namespace wgemm {

namespace {

using native::Access;
using native::Adapter;

/// Libraries to try, best first.
std::vector<std::string> libraries_to_try(const ContextOptions& options) {
  const std::string requested = native::requested_library(options.webgpu);
  return requested.empty() ? std::vector<std::string>{"dawn", "wgpu"} : std::vector{requested};
}

Result<Context> open_with(std::string_view library_name, const ContextOptions& options) {
  Result<WGPUBackendType> backend = native::parse_backend(options.backend);
  if (!backend) {
    return tl::unexpected(backend.error());
  }
  Result<native::Library*> library = native::Library::open(library_name);
  if (!library) {
    return tl::unexpected(library.error());
  }
  const native::LogHub::Listener listener((*library)->log(), options.log);
  auto instance = native::Instance::create(**library, *backend);
  if (!instance) {
    return tl::unexpected(instance.error());
  }
  std::vector<Adapter> adapters = native::enumerate_adapters(*instance);
  if (adapters.empty()) {
    return fail(ErrorCode::not_found, "adapter",
                native::missing_adapter_advice(**library, native::backend_name(*backend)));
  }
  Result<native::Choice> choice = native::choose_adapter(native::profiles_of(adapters), options.adapter);
  if (!choice) {
    return tl::unexpected(choice.error());
  }
  return Access::open(std::move(adapters[choice->index]), options, std::move(choice->reason));
}

}  // namespace

Result<Context> native::Access::open(Adapter adapter, const ContextOptions& options, std::string choice) {
  auto device = Device::open(std::move(adapter), options);
  if (!device) {
    return tl::unexpected(device.error());
  }
  return adopt(std::move(*device), options, std::move(choice), true);
}

Result<Context> native::Access::adopt(std::shared_ptr<Device> device, const ContextOptions& options,
                                      std::string choice, bool probe) {
  auto impl = std::make_unique<Context::Impl>();
  impl->options = options;
  impl->choice = std::move(choice);
  impl->tuning = options.tuning ? options.tuning : user_tuning(options.log);
  impl->device = std::move(device);
  impl->pool = std::make_shared<BufferPool>(options.pooled_bytes);
  if (!probe) {
    const DeviceProfile& profile = impl->device->profile();
    const bool told = profile.subgroups && profile.subgroup_min_size == profile.subgroup_max_size;
    impl->device->set_subgroup_size(told ? profile.subgroup_min_size : 0);
    return Context(std::move(impl));
  }
  if (impl->device->profile().timestamps) {
    Result<Timestamps> timestamps = Timestamps::create(impl->device);
    if (!timestamps) {
      return tl::unexpected(timestamps.error());
    }
    Result<double> quantum = observe_quantum(*impl->device, *timestamps);
    if (!quantum) {
      return tl::unexpected(quantum.error());
    }
    impl->timestamps = std::move(*timestamps);
    impl->timestamp_quantum_ns = *quantum;
  }
  if (Result<void> asked = ask_subgroup_size(impl->device); !asked) {
    return tl::unexpected(asked.error());
  }
  return Context(std::move(impl));
}

Result<Context> Context::create(const ContextOptions& options) {
  const std::vector<std::string> libraries = libraries_to_try(options);
  Error problem;
  for (const std::string& library : libraries) {
    Result<Context> context = open_with(library, options);
    if (context || libraries.size() == 1 || context.error().code != ErrorCode::not_found) {
      return context;
    }
    const Error& error = context.error();
    const std::string named = library + ": " + error.message;
    problem = {error.code, error.argument, problem.message.empty() ? named : problem.message + "; " + named};
  }
  return tl::unexpected(std::move(problem));
}

Result<void> Context::reopen() {
  if (impl_->device->external()) {
    return fail(ErrorCode::unsupported, "device",
                "the device is the application's; make a new one and adopt that");
  }
  ContextOptions options = impl_->options;
  options.webgpu = impl_->device->library().path();
  Result<Context> fresh = create(options);
  if (!fresh) {
    return tl::unexpected(fresh.error());
  }
  fresh->impl_->options = impl_->options;
  impl_ = std::move(fresh->impl_);
  return {};
}

}  // namespace wgemm
