// The libraries' grades of messages in wgemm's terms.
#pragma once

#include "native/extensions.hpp"
#include "wgemm/options.hpp"

namespace wgemm::native {

constexpr Severity to_severity(DawnLoggingType type) {
  return type == DawnLoggingType::error     ? Severity::error
         : type == DawnLoggingType::warning ? Severity::warning
                                            : Severity::info;
}

constexpr Severity to_severity(WgpuLogLevel level) {
  return level == WgpuLogLevel::error     ? Severity::error
         : level == WgpuLogLevel::warning ? Severity::warning
                                          : Severity::info;
}

}  // namespace wgemm::native
