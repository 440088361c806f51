#include "cli/files/readable.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace wgemm::cli {

Result<void> check_readable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(path, error))
    return fail(ErrorCode::not_found, path, fmt::format("there is no file '{}'", path));
  if (!fs::is_regular_file(path, error)) {
    return fail(ErrorCode::io, path, fmt::format("'{}' is no regular file", path));
  }
  if (!std::ifstream(path, std::ios::binary)) {
    return fail(ErrorCode::io, path, fmt::format("cannot read '{}': permission denied", path));
  }
  return {};
}

}  // namespace wgemm::cli
