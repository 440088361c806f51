// Matrices in NumPy's .npy files.
// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. A reader of our own,
// since xtensor's takes the length of a header above 127 bytes as negative, insists on the order of its keys,
// reads what a truncated file does not hold, and knows neither float16 nor the names of the types that it
// refuses.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "verify/host_matrix.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

/// What a file says of itself before its data.
struct NpyHeader {
  DataType type = DataType::f32;
  Order order = Order::row_major;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
};

/// Reads a header and leaves the stream at the data. Errors, as sentences that go on from the file's name:
/// io (no .npy file, or cut short), invalid_argument (a type or a number of dimensions that is no matrix of
/// ours).
Result<NpyHeader> read_npy_header(std::istream& stream);

/// The bytes stay in the file's order; only the layout says which that is. Errors: not_found, io,
/// invalid_argument; each names the file.
Result<verify::HostMatrix> read_npy(const std::string& path);

void write_npy(std::ostream& stream, const verify::HostMatrix& matrix);

}  // namespace wgemm::cli
