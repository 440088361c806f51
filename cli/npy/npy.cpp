#include "cli/npy/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>

namespace wgemm::cli {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "matrices are read as they lie in the file");

tl::unexpected<Error> about(const std::string& path, Error error) {
  error.message = fmt::format("'{}' {}", path, error.message);
  return tl::unexpected(std::move(error));
}

}  // namespace

Result<verify::HostMatrix> read_npy(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    return fail(ErrorCode::not_found, path, fmt::format("there is no file '{}'", path));
  if (!fs::is_regular_file(path, error)) {
    return fail(ErrorCode::io, path, fmt::format("'{}' is no regular file", path));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fail(ErrorCode::io, path, fmt::format("cannot read '{}': permission denied", path));
  auto header = read_npy_header(stream);
  if (!header) return about(path, header.error());

  verify::HostMatrix matrix{{header->type, header->order, 0}, header->rows, header->cols, {}};
  const double claimed = static_cast<double>(header->rows) * static_cast<double>(header->cols) *
                         static_cast<double>(size_of(header->type));
  const auto start = stream.tellg();
  stream.seekg(0, std::ios::end);
  const auto available = static_cast<std::uint64_t>(stream.tellg() - start);
  stream.seekg(start);
  // Before any memory is taken: a header may claim anything.
  if (claimed > static_cast<double>(available)) {
    return fail(ErrorCode::io, path,
                fmt::format("'{}' is truncated: its shape ({}, {}) takes {:.0f} bytes of data, it holds {}",
                            path, header->rows, header->cols, claimed, available));
  }
  matrix.bytes.resize(size_in_bytes(matrix.layout, matrix.rows, matrix.cols));
  if (!stream.read(reinterpret_cast<char*>(matrix.bytes.data()),
                   static_cast<std::streamsize>(matrix.bytes.size()))) {
    return fail(ErrorCode::io, path, fmt::format("'{}' could not be read to its end", path));
  }
  return matrix;
}

void write_npy(std::ostream& stream, const verify::HostMatrix& matrix) {
  constexpr std::size_t kPreamble = 10;   // magic, version, length
  constexpr std::size_t kAlignment = 64;  // of the data, so that it can be mapped into memory
  auto dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}, {}), }}",
                  matrix.layout.type == DataType::f32 ? "<f4" : "<f2",
                  matrix.layout.order == Order::col_major ? "True" : "False", matrix.rows, matrix.cols);
  const auto unpadded = kPreamble + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ').push_back('\n');
  const auto size = static_cast<unsigned>(dictionary.size());
  stream << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(size & 0xFFU) << static_cast<char>(size >> 8U)
         << dictionary;
  stream.write(reinterpret_cast<const char*>(matrix.bytes.data()),
               static_cast<std::streamsize>(size_in_bytes(matrix.layout, matrix.rows, matrix.cols)));
}

}  // namespace wgemm::cli
