// An answer of the WebGPU library that comes later, in a callback. It outlives the caller who gave up
// waiting.
#pragma once

#include <atomic>
#include <memory>

namespace wgemm::native {

template <typename T>
class Pending {
 public:
  /// For the callback's userdata; `arrive` takes it back, once.
  [[nodiscard]] void* ticket() const { return new std::shared_ptr<Slot>(slot_); }

  static void arrive(void* ticket, T value) {
    const std::unique_ptr<std::shared_ptr<Slot>> slot(static_cast<std::shared_ptr<Slot>*>(ticket));
    (*slot)->value = std::move(value);
    (*slot)->arrived.store(true, std::memory_order_release);
  }

  [[nodiscard]] const std::atomic<bool>& arrived() const { return slot_->arrived; }
  [[nodiscard]] T& value() { return slot_->value; }

 private:
  struct Slot {
    std::atomic<bool> arrived{false};
    T value{};
  };
  std::shared_ptr<Slot> slot_ = std::make_shared<Slot>();
};

}  // namespace wgemm::native
