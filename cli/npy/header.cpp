// The dictionary at the head of a .npy file: a Python literal with three keys.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "cli/npy/npy.hpp"

namespace wgemm::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint32_t kLongestHeader = 1U << 20U;  ///< a matrix's takes some hundred bytes

tl::unexpected<Error> broken(std::string_view why) {
  return fail(ErrorCode::io, "", fmt::format("is no .npy file: {}", why));
}

/// The value behind a key, up to the comma or brace that ends it; empty where the key is missing.
std::string_view value_of(std::string_view dictionary, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const auto quoted = fmt::format("{0}{1}{0}", quote, key);
    const auto start = dictionary.find(quoted);
    if (start == std::string_view::npos) continue;
    const auto colon = dictionary.find(':', start + quoted.size());
    if (colon == std::string_view::npos) return {};
    auto value = dictionary.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    int depth = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value[i] == '(' || value[i] == '[') ++depth;
      if (value[i] == ')' || value[i] == ']') --depth;
      if (depth == 0 && (value[i] == ',' || value[i] == '}')) return value.substr(0, i);
    }
  }
  return {};
}

/// "(1797, 64)"
std::optional<std::vector<std::uint64_t>> parse_shape(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  std::vector<std::uint64_t> shape;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  while (at != end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    const auto [next, status] = std::from_chars(at, end, shape.emplace_back());
    if (status != std::errc()) return std::nullopt;
    at = next;
  }
  return shape;
}

Result<DataType> parse_type(std::string_view value) {
  const bool quoted = value.size() >= 2 && (value.front() == '\'' || value.front() == '"');
  const auto name = quoted ? value.substr(1, value.size() - 2) : value;
  if (name == "<f4" || name == "=f4") return DataType::f32;
  if (name == "<f2" || name == "=f2") return DataType::f16;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kNames{
      {{"<f8", "float64"},
       {">f4", "big-endian float32"},
       {">f8", "big-endian float64"},
       {"<i8", "int64"},
       {"<i4", "int32"},
       {"<i2", "int16"},
       {"|i1", "int8"},
       {"|u1", "uint8"},
       {"|b1", "bool"},
       {"<c8", "complex64"},
       {"<c16", "complex128"},
       {"|O", "Python objects"}}};
  std::string known(name);
  for (const auto& [code, spoken] : kNames) {
    if (code == name) known = fmt::format("{} ('{}')", spoken, code);
  }
  return fail(
      ErrorCode::invalid_argument, "dtype",
      fmt::format("has dtype {}; wgemm multiplies float32 and float16 (numpy: .astype(numpy.float32))",
                  known));
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// The text of the dictionary.
Result<std::string> read_dictionary(std::istream& stream) {
  std::array<char, 8> head{};
  if (!stream.read(head.data(), head.size())) return broken("it is shorter than a header");
  if (std::string_view(head.data(), kMagic.size()) != kMagic)
    return broken("it does not begin with \\x93NUMPY");
  const auto version = static_cast<unsigned char>(head[6]);
  if (version < 1 || version > 3) return broken(fmt::format("it has format version {}", version));
  // Little-endian, of two bytes in version 1 and four later.
  std::array<char, 4> size_bytes{};
  if (!stream.read(size_bytes.data(), version == 1 ? 2 : 4)) return broken("it is shorter than a header");
  std::uint32_t size = 0;
  for (std::size_t i = size_bytes.size(); i-- > 0;) {
    size = size << 8U | static_cast<unsigned char>(size_bytes.at(i));
  }
  if (size > kLongestHeader) return broken(fmt::format("it claims a header of {} bytes", size));
  std::string dictionary(size, '\0');
  if (!stream.read(dictionary.data(), size)) return broken("it is shorter than its header");
  return dictionary;
}

}  // namespace

Result<NpyHeader> read_npy_header(std::istream& stream) {
  const auto dictionary = read_dictionary(stream);
  if (!dictionary) return tl::unexpected(dictionary.error());
  const auto type = value_of(*dictionary, "descr");
  const auto fortran = value_of(*dictionary, "fortran_order");
  const auto shape = parse_shape(value_of(*dictionary, "shape"));
  if (type.empty() || !shape || (fortran != "True" && fortran != "False")) {
    return broken("its header lacks descr, fortran_order or shape");
  }
  NpyHeader header;
  const auto known = parse_type(type);
  if (!known) return tl::unexpected(known.error());
  header.type = *known;
  header.order = fortran == "True" ? Order::col_major : Order::row_major;
  if (shape->size() != 2) {
    return fail(ErrorCode::invalid_argument, "shape",
                fmt::format("has shape {}; a matrix has two dimensions (numpy: .reshape(rows, cols))",
                            shape_text(*shape)));
  }
  header.rows = (*shape)[0];
  header.cols = (*shape)[1];
  if (header.rows == 0 || header.cols == 0) {
    return fail(ErrorCode::invalid_argument, "shape",
                fmt::format("has shape {}; each dimension is at least 1", shape_text(*shape)));
  }
  return header;
}

}  // namespace wgemm::cli
