// Which adapter to open, and why. Works on profiles alone.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"

namespace wgemm::native {

struct Choice {
  std::size_t index = 0;
  std::string reason;  ///< one line
};

/// `wanted` as in ContextOptions::adapter. `profiles` is not empty. Errors: not_found, listing the adapters
/// there are.
Result<Choice> choose_adapter(std::span<const DeviceProfile* const> profiles, std::string_view wanted);

}  // namespace wgemm::native
