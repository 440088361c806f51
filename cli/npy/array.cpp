#include "cli/npy/array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>

#include "verify/half.hpp"

namespace wgemm::cli {
namespace {

template <std::size_t Bytes>
void copy_line(const std::byte* from, std::uint64_t from_stride, std::byte* to, std::uint64_t to_stride,
               std::uint64_t count) {
  if (from_stride == 1 && to_stride == 1) {
    std::memcpy(to, from, count * Bytes);
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * to_stride * Bytes, from + i * from_stride * Bytes, Bytes);
  }
}

/// Copies the dimensions from `axis` on.
void copy_axes(const Array& from, const std::byte* source, const Array& to, std::byte* target,
               std::size_t axis) {
  const auto bytes = size_of(from.type);
  const auto extent = from.shape[axis];
  if (axis + 1 < from.shape.size()) {
    for (std::uint64_t i = 0; i < extent; ++i) {
      copy_axes(from, source + i * from.strides[axis] * bytes, to, target + i * to.strides[axis] * bytes,
                axis + 1);
    }
    return;
  }
  const auto copy = bytes == 1 ? copy_line<1> : bytes == 2 ? copy_line<2> : copy_line<4>;
  copy(source, from.strides[axis], target, to.strides[axis], extent);
}

}  // namespace

std::uint64_t element_count(const Sizes& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

Sizes strides_in(Order order, const Sizes& shape) {
  Sizes strides(shape.size());
  std::uint64_t next = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto axis = order == Order::row_major ? shape.size() - 1 - i : i;
    strides[axis] = next;
    next *= shape[axis];
  }
  return strides;
}

std::string shape_text(const Sizes& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string_view numpy_name(DataType type) {
  switch (type) {
    case DataType::f32:
      return "float32";
    case DataType::f16:
      return "float16";
    case DataType::i32:
      return "int32";
    case DataType::i8:
      return "int8";
    case DataType::u8:
      return "uint8";
    case DataType::i4:
    case DataType::u4:
      break;
  }
  return to_string(type);  // NumPy has no halves of bytes
}

Array make_array(DataType type, Order order, const Sizes& shape) {
  return {{}, type, shape, strides_in(order, shape), Bytes(size_of(type, element_count(shape)))};
}

void copy_elements(const Array& from, Array& to) {
  if (element_count(from.shape) == 0) return;
  if (from.shape.empty()) {
    std::memcpy(to.bytes.own().data(), from.bytes.data(), size_of(from.type));
    return;
  }
  copy_axes(from, from.bytes.data(), to, to.bytes.own().data(), 0);
}

Array reordered(const Array& array, Order order) {
  auto copy = make_array(array.type, order, array.shape);
  copy.name = array.name;
  copy_elements(array, copy);
  return copy;
}

Array widened(const Array& half) {
  const auto count = half.bytes.size() / sizeof(verify::Half);
  Array wide{half.name, DataType::f32, half.shape, half.strides, Bytes(count * sizeof(float))};
  const auto* from = reinterpret_cast<const verify::Half*>(half.bytes.data());
  auto* to = reinterpret_cast<float*>(wide.bytes.own().data());
  std::transform(from, from + count, to, [](verify::Half value) { return static_cast<float>(value); });
  return wide;
}

}  // namespace wgemm::cli
