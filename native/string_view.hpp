// Text between webgpu.h and C++.
#pragma once

#include <webgpu.h>

#include <cstring>
#include <string_view>

namespace wgemm::native {

inline std::string_view to_view(WGPUStringView text) {
  if (text.data == nullptr) {
    return {};
  }
  return {text.data, text.length == WGPU_STRLEN ? std::strlen(text.data) : text.length};
}

inline WGPUStringView from_view(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace wgemm::native
