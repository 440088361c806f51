#include "core/text/hash.hpp"
#include "core/text/sources.hpp"

namespace wgemm::text {

std::uint64_t fingerprint(std::span<const Source> sources) {
  constexpr std::string_view kEnd("\0", 1);  // so that no letter can move to the next text unseen
  auto value = kHashOfNothing;
  for (const auto& [name, text] : sources) value = hash(kEnd, hash(text, hash(kEnd, hash(name, value))));
  return value;
}

std::uint64_t fingerprint() {
  static const auto value = fingerprint(all_sources());
  return value;
}

}  // namespace wgemm::text
