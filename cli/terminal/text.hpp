// Text in columns: what fits, what wraps, and bars of block characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wgemm::cli {

/// Characters, as far as UTF-8 code points are that.
std::size_t length(std::string_view text);

/// The first `width` characters.
std::string clip(std::string_view text, std::size_t width);

/// Filled up with spaces to `width`.
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);

/// Lines of at most `width` characters, broken between words; a longer word has a line of its own.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// A bar of `width` characters, filled in eighths.
std::string bar(double fraction, int width);

}  // namespace wgemm::cli
