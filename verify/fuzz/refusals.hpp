// Which problems a device or a kernel may refuse.
#pragma once

#include "verify/fuzz/draw.hpp"
#include "wgemm/error.hpp"

namespace wgemm::verify::fuzz {

/// Whether the error says what the device or the named kernel really lacks. Whatever else is refused is a
/// fault: validate accepts the problem, and some kernel can run it.
bool is_right_refusal(const Case& each, const DeviceProfile& profile, const Error& error);

}  // namespace wgemm::verify::fuzz
