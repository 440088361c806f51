// Arrays in NumPy's .npy files.
// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. A reader of our own,
// since xtensor's takes the length of a header above 127 bytes as negative, insists on the order of its keys,
// reads what a truncated file does not hold, and knows neither float16 nor the names of the types that it
// refuses.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "cli/npy/array.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

/// What a file says of itself before its data.
struct NpyHeader {
  std::string descr;  ///< type as NumPy writes it: "<f4"
  Order order = Order::row_major;
  Sizes shape;
  std::uint64_t bytes = 0;  ///< of the header itself
};

/// Reads a header and leaves the stream at the data. Errors, as sentences that go on from the file's name: io
/// (no .npy file, or cut short).
Result<NpyHeader> read_npy_header(std::istream& stream);

/// float32, float16, int8, uint8 and int32 of this machine's byte order. Errors, as sentences that go on from
/// the file's name: invalid_argument.
Result<DataType> parse_npy_type(const std::string& descr);

/// Reads an array that takes at most `available` bytes with its header. Its bytes stay in the file's order.
/// Errors: as above.
Result<Array> read_npy(std::istream& stream, std::uint64_t available);

/// The bytes are read when they are touched, where the system can do that. Errors: not_found, io,
/// invalid_argument; each names the file.
Result<Array> read_npy(const std::string& path);

/// An array without gaps, in C or Fortran order. `descr` names a type that DataType does not have.
void write_npy(std::ostream& stream, const Array& array, std::string_view descr = {});

}  // namespace wgemm::cli
