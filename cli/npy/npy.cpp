#include "cli/npy/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>

#include "cli/files/readable.hpp"

namespace wgemm::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are read as they lie in the file");

std::string_view npy_descr(DataType type) {
  switch (type) {
    case DataType::f32:
      return "<f4";
    case DataType::f16:
      return "<f2";
    case DataType::i32:
      return "<i4";
    case DataType::i8:
      return "|i1";
    default:
      return "|u1";
  }
}

/// An array without its bytes, and how many it has and where: the stream stands there.
struct Outline {
  Array array;
  std::uint64_t start = 0;
  std::uint64_t size = 0;
};

Result<Outline> read_outline(std::istream& stream, std::uint64_t available) {
  auto header = read_npy_header(stream);
  if (!header) return tl::unexpected(header.error());
  const auto type = parse_npy_type(header->descr);
  if (!type) return tl::unexpected(type.error());
  available -= std::min(available, header->bytes);
  // In floating point, and before any memory is taken: a header may claim anything.
  auto claimed = static_cast<double>(size_of(*type));
  for (const auto extent : header->shape) claimed *= static_cast<double>(extent);
  if (claimed > static_cast<double>(available)) {
    return fail(ErrorCode::io, "",
                fmt::format("is truncated: its shape {} takes {:.0f} bytes of data, it holds {}",
                            shape_text(header->shape), claimed, available));
  }
  const auto strides = strides_in(header->order, header->shape);
  const auto size = size_of(*type, element_count(header->shape));
  return Outline{{{}, *type, std::move(header->shape), strides, {}}, header->bytes, size};
}

Result<Array> read_data(std::istream& stream, Outline outline) {
  auto& array = outline.array;
  array.bytes = Bytes(outline.size);
  const auto memory = array.bytes.own();
  if (!stream.read(reinterpret_cast<char*>(memory.data()), static_cast<std::streamsize>(memory.size()))) {
    return fail(ErrorCode::io, "", "could not be read to its end");
  }
  return std::move(array);
}

Result<Array> read_or_map(const std::string& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream.tellg();
  stream.seekg(0);
  auto outline = read_outline(stream, static_cast<std::uint64_t>(std::max<std::streamoff>(size, 0)));
  if (!outline) return tl::unexpected(outline.error());
  if (outline->start % size_of(outline->array.type) == 0) {
    if (auto file = MappedFile::open(path); file && file->bytes().size() >= outline->start + outline->size) {
      outline->array.bytes = Bytes(std::move(file), outline->start, outline->size);
      return std::move(outline->array);
    }
  }
  return read_data(stream, std::move(*outline));
}

}  // namespace

Result<Array> read_npy(std::istream& stream, std::uint64_t available) {
  auto outline = read_outline(stream, available);
  if (!outline) return tl::unexpected(outline.error());
  return read_data(stream, std::move(*outline));
}

Result<Array> read_npy(const std::string& path) {
  if (auto done = check_readable(path); !done) return tl::unexpected(done.error());
  auto array = read_or_map(path);
  if (!array) {
    array.error().argument = path;
    array.error().message = fmt::format("'{}' {}", path, array.error().message);
    return array;
  }
  array->name = path;
  return array;
}

void write_npy(std::ostream& stream, const Array& array, std::string_view descr) {
  constexpr std::size_t kPreamble = 10;   // magic, version, length
  constexpr std::size_t kAlignment = 64;  // of the data, so that it can be mapped into memory
  const bool by_row = array.strides == strides_in(Order::row_major, array.shape);
  auto dictionary = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}",
                                descr.empty() ? npy_descr(array.type) : descr, by_row ? "False" : "True",
                                shape_text(array.shape));
  const auto unpadded = kPreamble + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ').push_back('\n');
  const auto size = static_cast<unsigned>(dictionary.size());
  stream << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(size & 0xFFU) << static_cast<char>(size >> 8U)
         << dictionary;
  stream.write(reinterpret_cast<const char*>(array.bytes.data()),
               static_cast<std::streamsize>(array.bytes.size()));
}

}  // namespace wgemm::cli
