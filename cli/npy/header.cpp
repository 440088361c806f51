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
std::optional<Sizes> parse_shape(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  Sizes shape;
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

struct Dictionary {
  std::string text;
  std::uint64_t bytes = 0;  ///< with all that stands in front of it
};

Result<Dictionary> read_dictionary(std::istream& stream) {
  std::array<char, 8> head{};
  if (!stream.read(head.data(), head.size())) return broken("it is shorter than a header");
  if (std::string_view(head.data(), kMagic.size()) != kMagic)
    return broken("it does not begin with \\x93NUMPY");
  const auto version = static_cast<unsigned char>(head[6]);
  if (version < 1 || version > 3) return broken(fmt::format("it has format version {}", version));
  // Little-endian, of two bytes in version 1 and four later.
  std::array<char, 4> size_bytes{};
  const std::streamsize length_bytes = version == 1 ? 2 : 4;
  if (!stream.read(size_bytes.data(), length_bytes)) return broken("it is shorter than a header");
  std::uint32_t size = 0;
  for (std::size_t i = size_bytes.size(); i-- > 0;) {
    size = size << 8U | static_cast<unsigned char>(size_bytes.at(i));
  }
  if (size > kLongestHeader) return broken(fmt::format("it claims a header of {} bytes", size));
  Dictionary dictionary{std::string(size, '\0'),
                        head.size() + static_cast<std::uint64_t>(length_bytes) + size};
  if (!stream.read(dictionary.text.data(), size)) return broken("it is shorter than its header");
  return dictionary;
}

}  // namespace

Result<NpyHeader> read_npy_header(std::istream& stream) {
  const auto dictionary = read_dictionary(stream);
  if (!dictionary) return tl::unexpected(dictionary.error());
  const auto descr = value_of(dictionary->text, "descr");
  const auto fortran = value_of(dictionary->text, "fortran_order");
  const auto shape_text = value_of(dictionary->text, "shape");
  auto shape = parse_shape(shape_text);
  if (descr.empty() || fortran.empty() || shape_text.empty()) {
    return broken("its header lacks descr, fortran_order or shape");
  }
  if (fortran != "True" && fortran != "False") {
    return broken(fmt::format("fortran_order is {}; it is True or False", fortran));
  }
  if (!shape) {
    return broken(fmt::format("shape is {}; it is a tuple of whole numbers below 2^64", shape_text));
  }
  const bool quoted = descr.size() >= 2 && (descr.front() == '\'' || descr.front() == '"');
  return NpyHeader{std::string(quoted ? descr.substr(1, descr.size() - 2) : descr),
                   fortran == "True" ? Order::col_major : Order::row_major, std::move(*shape),
                   dictionary->bytes};
}

Result<DataType> parse_npy_type(const std::string& descr) {
  constexpr std::array<std::pair<std::string_view, DataType>, 10> kTypes{{{"<f4", DataType::f32},
                                                                          {"=f4", DataType::f32},
                                                                          {"<f2", DataType::f16},
                                                                          {"=f2", DataType::f16},
                                                                          {"<i4", DataType::i32},
                                                                          {"=i4", DataType::i32},
                                                                          {"|i1", DataType::i8},
                                                                          {"<i1", DataType::i8},
                                                                          {"|u1", DataType::u8},
                                                                          {"<u1", DataType::u8}}};
  for (const auto& [code, type] : kTypes) {
    if (code == descr) return type;
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kNames{
      {{"<f8", "float64"},
       {">f4", "big-endian float32"},
       {">f2", "big-endian float16"},
       {">f8", "big-endian float64"},
       {">i4", "big-endian int32"},
       {"<i8", "int64"},
       {"<i2", "int16"},
       {"|b1", "bool"},
       {"<u4", "uint32"},
       {"<c8", "complex64"},
       {"<c16", "complex128"},
       {"|O", "Python objects"}}};
  std::string known(descr);
  for (const auto& [code, spoken] : kNames) {
    if (code == descr) known = fmt::format("{} ('{}')", spoken, code);
  }
  return fail(ErrorCode::invalid_argument, "dtype",
              fmt::format("has dtype {}; wgemm takes float32, float16, int8 and uint8 (numpy: "
                          ".astype(numpy.float32))",
                          known));
}

}  // namespace wgemm::cli
