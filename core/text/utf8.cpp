#include "core/text/utf8.hpp"

#include <array>
#include <cstdint>

namespace wgemm {
namespace {

/// Sequences of one length: how their first byte looks, and the least code point that needs so many bytes.
struct Form {
  std::uint8_t mask;
  std::uint8_t lead;
  std::size_t length;
  std::uint32_t least;
};
constexpr std::array<Form, 4> kForms{
    {{0x80, 0x00, 1, 0}, {0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}}};

/// Bytes of the sequence in front; 0 where it is ill-formed.
std::size_t sequence_length(std::string_view text) {
  constexpr std::uint32_t kLast = 0x10FFFF;
  constexpr std::uint32_t kFirstSurrogate = 0xD800;
  constexpr std::uint32_t kLastSurrogate = 0xDFFF;
  const auto first = static_cast<std::uint8_t>(text.front());
  for (const auto& form : kForms) {
    if ((first & form.mask) != form.lead) continue;
    if (text.size() < form.length) return 0;
    std::uint32_t code = first & static_cast<std::uint8_t>(~form.mask);
    for (const char each : text.substr(1, form.length - 1)) {
      const auto byte = static_cast<std::uint8_t>(each);
      if ((byte & 0xC0U) != 0x80U) return 0;
      code = code << 6U | (byte & 0x3FU);
    }
    const bool surrogate = code >= kFirstSurrogate && code <= kLastSurrogate;
    return code < form.least || code > kLast || surrogate ? 0 : form.length;
  }
  return 0;
}

}  // namespace

std::size_t utf8_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto length = sequence_length(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace wgemm
