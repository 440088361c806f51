#include "native/stream/gather.hpp"

#include <cstring>

#include "native/stream/half.hpp"

namespace wgemm::native {

namespace {

/// Calls copy(caller's element, panel's element, number of elements) for each line.
template <typename Copy>
void for_each_line(const Part& part, const Copy& copy) {
  for (const auto& [length, lines, matrices, caller, panel] : part.copies) {
    for (std::uint64_t matrix = 0; matrix < matrices; ++matrix) {
      for (std::uint64_t line = 0; line < lines; ++line) {
        copy(caller.start + matrix * caller.matrix + line * caller.line,
             panel.start + matrix * panel.matrix + line * panel.line, length);
      }
    }
  }
}

}  // namespace

void gather(const Part& part, std::span<const std::byte> caller, std::vector<std::byte>& panel) {
  const DataType type = part.caller_type;
  panel.resize(part.bytes);
  for_each_line(part, [&](std::uint64_t source, std::uint64_t target, std::uint64_t count) {
    if (part.panel_type == type) {
      std::memcpy(panel.data() + size_of(type, target), caller.data() + size_of(type, source),
                  size_of(type, count));
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) {  // f16 at the caller's, f32 on the device
      std::uint16_t half = 0;
      std::memcpy(&half, caller.data() + (source + i) * 2, 2);
      const float value = half_to_float(half);
      std::memcpy(panel.data() + (target + i) * 4, &value, 4);
    }
  });
}

void scatter(const Part& part, std::span<const std::byte> panel, std::span<std::byte> caller) {
  const DataType type = part.caller_type;
  for_each_line(part, [&](std::uint64_t target, std::uint64_t source, std::uint64_t count) {
    if (part.panel_type == type) {
      std::memcpy(caller.data() + size_of(type, target), panel.data() + size_of(type, source),
                  size_of(type, count));
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      float value = 0;
      std::memcpy(&value, panel.data() + (source + i) * 4, 4);
      const std::uint16_t half = float_to_half(value);
      std::memcpy(caller.data() + (target + i) * 2, &half, 2);
    }
  });
}

}  // namespace wgemm::native
