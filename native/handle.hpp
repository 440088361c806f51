// Owns one object of webgpu.h and releases it through the function of the library that made it.
#pragma once

#include <utility>

namespace wgemm::native {

template <typename T>
class Handle {
 public:
  using Release = void (*)(T);

  Handle() = default;
  Handle(T object, Release release) : object_(object), release_(release) {}
  Handle(Handle&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), release_(std::exchange(other.release_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(release_, other.release_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }

  void reset() {
    if (T object = std::exchange(object_, nullptr); object != nullptr) {
      release_(object);
    }
  }
  [[nodiscard]] T get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T object_ = nullptr;
  Release release_ = nullptr;
};

}  // namespace wgemm::native
