// Memory on a device.
#pragma once

#include <cstdint>
#include <memory>

#include "wgemm/problem.hpp"

namespace wgemm {

namespace native {
struct Access;  // the native room's way into the public classes
}

class Context;

/// Memory on the device. Movable; freed with the object, or with the last work that uses it. Keeps its device
/// alive.
class Buffer {
 public:
  Buffer() = default;
  [[nodiscard]] std::uint64_t size() const;  ///< bytes, a multiple of 4; 0 when empty
  explicit operator bool() const { return impl_ != nullptr; }

 private:
  friend class Context;
  friend struct native::Access;
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// The caller's memory for one product; nullptr where the plan has no buffer of that role.
struct Operands {
  const Buffer* a = nullptr;
  const Buffer* b = nullptr;
  const Buffer* c = nullptr;
  const Buffer* bias = nullptr;
  const Buffer* residual = nullptr;
  const Buffer* scales = nullptr;  ///< of a quantised B
  const Buffer* zeros = nullptr;
};

/// An operand that was transposed, padded or converted once, as a kernel wants it, for many products. A
/// handle: copies share the memory.
class PreparedOperand {
 public:
  PreparedOperand() = default;
  /// Given in place of the operand to plans that `Context::prepare` made for it; all others refuse it.
  [[nodiscard]] const Buffer& buffer() const { return buffer_; }
  [[nodiscard]] Matrix matrix() const { return matrix_; }

 private:
  friend class Context;
  Buffer buffer_;
  Matrix matrix_ = Matrix::b;
};

}  // namespace wgemm
