// A file that appears whole or not at all, whoever reads or writes it meanwhile.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace wgemm::native {

/// How names of files end that are being written, or were when their process ended.
inline constexpr std::string_view kUnfinished = ".tmp";

/// Puts a file of the parts, one behind the other, in the place of what is at `path`. Its folder must be
/// there. Gives what went wrong, and then what was at `path` still is; empty: nothing.
std::string write_whole_file(const std::filesystem::path& path,
                             std::initializer_list<std::string_view> parts);

}  // namespace wgemm::native
