// Whether bytes are text.
#pragma once

#include <cstddef>
#include <string_view>

namespace wgemm {

/// Bytes from the start that are well-formed UTF-8: all of them, or those before the first that is wrong.
std::size_t utf8_prefix(std::string_view text);

}  // namespace wgemm
