#include "verify/elements.hpp"

#include <cstring>

#include "verify/half.hpp"

namespace wgemm::verify {
namespace {

template <typename Element>
double value_of(const std::byte* memory, std::uint64_t index) {
  Element element;
  std::memcpy(&element, memory + index * sizeof(Element), sizeof(Element));
  if constexpr (sizeof(Element) == 2) {
    return static_cast<double>(static_cast<float>(element));
  } else {
    return static_cast<double>(element);
  }
}

template <bool Signed>
double nibble(const std::byte* memory, std::uint64_t index) {
  const auto byte = std::to_integer<std::uint8_t>(memory[index / 2]);
  const auto bits = static_cast<std::int32_t>(index % 2 == 0 ? byte & 15U : byte >> 4U);
  return Signed && bits >= 8 ? bits - 16 : bits;
}

/// Calls `visit` with the function that reads an element of the type.
template <typename Visit>
auto with_reader(DataType type, const Visit& visit) {
  switch (type) {
    case DataType::f16:
      return visit(value_of<Half>);
    case DataType::i32:
      return visit(value_of<std::int32_t>);
    case DataType::i8:
      return visit(value_of<std::int8_t>);
    case DataType::u8:
      return visit(value_of<std::uint8_t>);
    case DataType::i4:
      return visit(nibble<true>);
    case DataType::u4:
      return visit(nibble<false>);
    case DataType::f32:
      break;
  }
  return visit(value_of<float>);
}

template <typename Element>
void store(std::span<std::byte> memory, std::uint64_t index, Element element) {
  std::memcpy(memory.data() + index * sizeof(Element), &element, sizeof(Element));
}

}  // namespace

void read_elements(DataType type, std::span<const std::byte> memory, std::uint64_t first, std::uint64_t step,
                   std::span<double> values) {
  with_reader(type, [&](auto read) {
    for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = read(memory.data(), first + i * step);
  });
}

double read_element(DataType type, std::span<const std::byte> memory, std::uint64_t index) {
  return with_reader(type, [&](auto read) { return read(memory.data(), index); });
}

void write_element(DataType type, std::span<std::byte> memory, std::uint64_t index, double value) {
  switch (type) {
    case DataType::f32:
      return store(memory, index, static_cast<float>(value));
    case DataType::f16:
      return store(memory, index, Half(static_cast<float>(value)));
    case DataType::i32:
      return store(memory, index, static_cast<std::int32_t>(value));
    case DataType::i8:
      return store(memory, index, static_cast<std::int8_t>(value));
    case DataType::u8:
      return store(memory, index, static_cast<std::uint8_t>(value));
    case DataType::i4:
    case DataType::u4: {
      auto& byte = memory[index / 2];
      const auto bits = static_cast<std::byte>(static_cast<std::int32_t>(value) & 15);
      byte = index % 2 == 0 ? (byte & std::byte{0xf0}) | bits : (byte & std::byte{0x0f}) | (bits << 4U);
      return;
    }
  }
}

std::uint32_t element_bits(DataType type, std::span<const std::byte> memory, std::uint64_t index) {
  if (bits_of(type) < 8) return static_cast<std::uint32_t>(nibble<false>(memory.data(), index));
  std::uint32_t bits = 0;
  const auto bytes = size_of(type);
  std::memcpy(&bits, memory.data() + index * bytes, bytes);
  return bits;
}

}  // namespace wgemm::verify
