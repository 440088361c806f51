#include "cli/terminal/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace wgemm::cli {
namespace {

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

std::string clip(std::string_view text, std::size_t width) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!starts_character(text[i])) continue;
    if (characters == width) return std::string(text.substr(0, i));
    ++characters;
  }
  return std::string(text);
}

std::string left(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, length(text)), ' ');
}

std::string right(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, length(text)), ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find(' ', start), text.size());
    const auto word = text.substr(start, end - start);
    if (lines.empty() || length(lines.back()) + 1 + length(word) > width) {
      lines.emplace_back(word);
    } else {
      lines.back().append(" ").append(word);
    }
    start = end + 1;
  }
  return lines;
}

std::string bar(double fraction, int width) {
  constexpr int kSteps = 8;
  constexpr std::array<std::string_view, kSteps> kParts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double clamped = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
  const int eighths = static_cast<int>(std::lround(clamped * width * kSteps));
  std::string text;
  for (int i = 0; i < eighths / kSteps; ++i) text += "█";
  text += kParts.at(static_cast<std::size_t>(eighths % kSteps));
  return left(text, static_cast<std::size_t>(width));
}

}  // namespace wgemm::cli
