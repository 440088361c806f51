// What the public classes of context.hpp hold, for the files that implement them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "native/context/device_buffer.hpp"
#include "native/execute/prepared_plan.hpp"
#include "native/execute/timestamps.hpp"
#include "wgemm/context.hpp"

namespace wgemm {

struct Buffer::Impl {
  native::DeviceBuffer memory;
};

struct PreparedPlan::Impl {
  native::PreparedPlanData data;
};

struct Context::Impl {
  ContextOptions options;
  std::string choice;
  std::shared_ptr<native::Device> device;
  native::PipelineCache pipelines;
  std::optional<native::Timestamps> timestamps;
  double timestamp_quantum_ns = 0;
  /// Plans of recent products, by what they were made from; the most recently used last.
  std::vector<std::pair<std::string, PreparedPlan>> products;
  /// Device memory of the last product's operands by BufferRole, kept for the next.
  std::array<Buffer, kCallerBuffers> product_buffers;
};

namespace native {

/// Opens contexts on adapters that are at hand already, and looks inside open ones.
struct Access {
  static Result<Context> open(Adapter adapter, const ContextOptions& options, std::string choice);
  static PreparedPlanData& data(PreparedPlan& prepared) { return prepared.impl_->data; }
  static const DeviceBuffer& memory(const Buffer& buffer) { return buffer.impl_->memory; }
  static const DeviceBuffer* memory(const Buffer* buffer) {
    return buffer != nullptr && *buffer ? &buffer->impl_->memory : nullptr;
  }
  static OperandBuffers memory(const Context::Operands& operands) {
    return {memory(operands.a),        memory(operands.b),      memory(operands.c),    memory(operands.bias),
            memory(operands.residual), memory(operands.scales), memory(operands.zeros)};
  }
  static Device& device(const Context& context) { return *context.impl_->device; }
};

}  // namespace native
}  // namespace wgemm
