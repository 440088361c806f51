#include "core/selection/device_name.hpp"

namespace wgemm::selection {

std::string identifier_of(std::string_view name) {
  std::string identifier;
  for (const char letter : name) {
    const bool upper = letter >= 'A' && letter <= 'Z';
    const bool kept = upper || (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    if (kept) {
      identifier += upper ? static_cast<char>(letter - 'A' + 'a') : letter;
    } else if (!identifier.empty() && identifier.back() != '-') {
      identifier += '-';
    }
  }
  while (identifier.ends_with('-')) identifier.pop_back();
  return identifier;
}

}  // namespace wgemm::selection
