// The texts below core/selection/data, which the build embeds.
#pragma once

#include <span>
#include <string_view>

namespace wgemm::selection {

/// Each the JSON text of tuning data.
std::span<const std::string_view> shipped_texts();

}  // namespace wgemm::selection
