// Whether a file can be read, and if not, why.
#pragma once

#include <string>

#include "wgemm/error.hpp"

namespace wgemm::cli {

/// Errors: not_found, io; each names the file.
Result<void> check_readable(const std::string& path);

}  // namespace wgemm::cli
