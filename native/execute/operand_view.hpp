// The memory of one operand of a run: a buffer of ours, or a part of one of the application's.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "native/context/device_buffer.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::native {

struct OperandView {
  WGPUBuffer buffer = nullptr;  ///< nullptr: not given
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t id = 0;            ///< of our own buffers; 0 for the application's
  const Device* device = nullptr;  ///< of our own buffers
  /// Of our own buffers: PlanBuffer::layout of what they hold; nullptr where the application must know.
  const std::string* layout = nullptr;

  OperandView() = default;
  OperandView(WGPUBuffer theirs, std::uint64_t at, std::uint64_t bytes)
      : buffer(theirs), offset(at), size(bytes) {}
  // Implicit, so that lists of buffers can be given as they are.
  OperandView(const DeviceBuffer* ours) {  // NOLINT(google-explicit-constructor)
    if (ours != nullptr && ours->get() != nullptr) {
      buffer = ours->get();
      size = ours->size();
      id = ours->id();
      device = ours->device().get();
    }
  }
};

/// The caller's memory for one product, by BufferRole.
using OperandViews = std::array<OperandView, kCallerBuffers>;

}  // namespace wgemm::native
