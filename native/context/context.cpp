#include <fmt/format.h>

#include <algorithm>

#include "native/adapter/backend.hpp"
#include "native/adapter/choice.hpp"
#include "native/adapter/missing.hpp"
#include "native/context/context_impl.hpp"
#include "native/context/subgroup_size.hpp"
#include "native/execute/run.hpp"
#include "native/library/search.hpp"

namespace wgemm {

namespace {

using native::Access;
using native::Adapter;
using native::DeviceBuffer;

/// Libraries to try, best first.
std::vector<std::string> libraries_to_try(const ContextOptions& options) {
  const std::string requested = native::requested_library(options.webgpu);
  return requested.empty() ? std::vector<std::string>{"dawn", "wgpu"} : std::vector{requested};
}

Result<void> check_prepared(const native::PreparedPlanData* prepared,
                            const std::shared_ptr<native::Device>& device) {
  if (prepared == nullptr || prepared->device() != device) {
    return fail(ErrorCode::invalid_argument, "prepared", "the plan was not prepared by this context");
  }
  return {};
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
  auto impl = std::make_unique<Context::Impl>();
  impl->options = options;
  impl->choice = std::move(choice);
  impl->device = std::move(*device);
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

std::string_view to_string(TimingSource source) {
  return source == TimingSource::timestamps ? "timestamps" : "host_clock";
}

std::uint64_t Buffer::size() const { return impl_ ? impl_->memory.size() : 0; }

const Plan& PreparedPlan::plan() const { return impl_->data.plan(); }

const StartCost& PreparedPlan::start_cost() const { return impl_->data.cost; }

Context::Context(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;
Context::~Context() = default;

Result<Context> Context::create(const ContextOptions& options) {
  const std::vector<std::string> libraries = libraries_to_try(options);
  Error problem;
  for (const std::string& library : libraries) {
    Result<Context> context = open_with(library, options);
    if (context || libraries.size() == 1 || context.error().code != ErrorCode::not_found) {
      return context;
    }
    const std::string before = problem.message.empty() ? "" : problem.message + "; ";
    problem = context.error();
    problem.message = before + problem.message;
  }
  return tl::unexpected(std::move(problem));
}

const DeviceProfile& Context::profile() const { return impl_->device->profile(); }
const ContextOptions& Context::options() const { return impl_->options; }
std::string_view Context::choice() const { return impl_->choice; }
bool Context::unchecked_shaders() const { return impl_->device->unchecked_shaders(); }
double Context::timestamp_quantum_ns() const { return impl_->timestamp_quantum_ns; }

Result<PreparedPlan> Context::prepare(const Plan& plan) {
  Result<native::PreparedPlanData> data =
      native::PreparedPlanData::prepare(impl_->device, plan, &impl_->pipelines);
  if (!data) {
    return tl::unexpected(data.error());
  }
  PreparedPlan prepared;
  prepared.impl_ = std::make_shared<PreparedPlan::Impl>(PreparedPlan::Impl{std::move(*data)});
  return prepared;
}

Result<Buffer> Context::create_buffer(std::uint64_t bytes) {
  Result<DeviceBuffer> memory = DeviceBuffer::create(impl_->device, bytes, native::kOperandUsage);
  if (!memory) {
    return tl::unexpected(memory.error());
  }
  Buffer buffer;
  buffer.impl_ = std::make_shared<Buffer::Impl>(Buffer::Impl{std::move(*memory)});
  return buffer;
}

Result<void> Context::upload(const Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!buffer) {
    return fail(ErrorCode::invalid_argument, "buffer", "an empty buffer takes no bytes");
  }
  return native::upload(buffer.impl_->memory, offset, bytes);
}

Result<void> Context::download(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes) {
  if (!buffer) {
    return fail(ErrorCode::invalid_argument, "buffer", "an empty buffer holds no bytes");
  }
  return native::download(buffer.impl_->memory, offset, bytes);
}

Result<void> Context::run(PreparedPlan& prepared, const Operands& operands) {
  if (Result<void> ours = check_prepared(prepared.impl_ ? &prepared.impl_->data : nullptr, impl_->device);
      !ours) {
    return ours;
  }
  return native::run_once(prepared.impl_->data, Access::memory(operands));
}

Result<void> Context::run(PreparedPlan& prepared, const Buffer& a, const Buffer& b, const Buffer& c) {
  return run(prepared, Operands{&a, &b, &c, nullptr, nullptr, nullptr, nullptr});
}

Result<Span> Context::time(PreparedPlan& prepared, std::span<const Operands> operands, std::uint32_t repeats,
                           bool by_step) {
  if (Result<void> ours = check_prepared(prepared.impl_ ? &prepared.impl_->data : nullptr, impl_->device);
      !ours) {
    return tl::unexpected(ours.error());
  }
  std::vector<native::OperandBuffers> sets;
  sets.reserve(operands.size());
  for (const Operands& set : operands) {
    sets.push_back(Access::memory(set));
  }
  const native::Timestamps* timestamps = impl_->timestamps ? std::to_address(impl_->timestamps) : nullptr;
  return native::run_timed(prepared.impl_->data, sets, repeats, by_step, timestamps);
}

}  // namespace wgemm
