// The kernel texts that the build embedded, by their path below core/kernels without ".wgsl".
#pragma once

#include <string_view>

namespace wgemm::text {

/// The text of that name; empty where there is none.
std::string_view find_source(std::string_view name);

}  // namespace wgemm::text
