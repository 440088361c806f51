// Elements of any type in host memory, as float64 numbers: every value of every type is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "wgemm/problem.hpp"

namespace wgemm::verify {

/// Elements `first`, `first + step`, ... of the memory.
void read_elements(DataType type, std::span<const std::byte> memory, std::uint64_t first, std::uint64_t step,
                   std::span<double> values);

double read_element(DataType type, std::span<const std::byte> memory, std::uint64_t index);

/// Rounds to the nearest value of the type; integers must be in its range.
void write_element(DataType type, std::span<std::byte> memory, std::uint64_t index, double value);

/// The element's bits.
std::uint32_t element_bits(DataType type, std::span<const std::byte> memory, std::uint64_t index);

}  // namespace wgemm::verify
