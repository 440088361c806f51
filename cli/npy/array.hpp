// An array in host memory as NumPy has it: shape, strides, type, and where it came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/npy/bytes.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

using Sizes = std::vector<std::uint64_t>;

struct Array {
  std::string name;  ///< of the file, for messages
  DataType type = DataType::f32;
  Sizes shape;
  Sizes strides;  ///< in elements
  Bytes bytes;
};

std::uint64_t element_count(const Sizes& shape);

/// Strides of an array without gaps: the last index runs fastest (C), or the first one does (Fortran).
Sizes strides_in(Order order, const Sizes& shape);

/// "(3, 4)", "(3,)", "()": as Python writes it.
std::string shape_text(const Sizes& shape);

/// "float32", as NumPy calls it.
std::string_view numpy_name(DataType type);

/// An array of that shape without gaps; all bytes are 0.
Array make_array(DataType type, Order order, const Sizes& shape);

/// Copies elements of equal shape and type from `from` to where `to`'s strides say.
void copy_elements(const Array& from, Array& to);

/// The same array without gaps in the given order.
Array reordered(const Array& array, Order order);

/// float16 as float32: every value is kept.
Array widened(const Array& half);

}  // namespace wgemm::cli
