// Names of one device as programs and pages are told them.
#pragma once

#include <string>
#include <string_view>

namespace wgemm::selection {

/// "NVIDIA H200" and "nvidia-h200" are "nvidia-h200": WebGPU's normalized identifier string (section "Adapter
/// Capability Guarantees" of the specification), which is what pages see of a name: lower-case letters and
/// digits, and single hyphens for everything between.
std::string identifier_of(std::string_view name);

}  // namespace wgemm::selection
