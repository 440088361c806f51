// A hash of text that is the same on every machine and in every build: FNV-1a.
#pragma once

#include <cstdint>
#include <string_view>

namespace wgemm::text {

constexpr std::uint64_t kHashOfNothing = 0xcbf29ce484222325;

/// Goes on with the hash of what comes before the text.
constexpr std::uint64_t hash(std::string_view text, std::uint64_t before = kHashOfNothing) {
  for (const char letter : text) before = (before ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return before;
}

}  // namespace wgemm::text
