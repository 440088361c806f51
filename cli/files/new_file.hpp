// A file that appears whole or not at all, or standard output in its place.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <string_view>

#include "wgemm/error.hpp"

namespace wgemm::cli {

/// Written under another name beside its target and renamed by `commit`; gone without a trace otherwise. A
/// target that is no regular file, a pipe or a device, is written in place; "-" is standard output.
class NewFile {
 public:
  /// Errors: io, naming `argument`; what stands at `path` is untouched.
  static Result<NewFile> create(const std::string& argument, const std::string& path);

  NewFile(NewFile&&) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  std::ostream& stream();
  Result<void> commit();

 private:
  NewFile() = default;

  std::string argument_;
  std::filesystem::path target_;     ///< empty for standard output
  std::filesystem::path temporary_;  ///< empty where the target is written in place
  std::filesystem::perms permissions_ = std::filesystem::perms::unknown;  ///< of a file that is replaced
  std::ofstream stream_;
};

/// Whether the path is "-".
bool is_standard_output(std::string_view path);

/// How messages call what is written to the path.
std::string output_name(const std::string& path);

/// Where to write for people beside an output at `path`: standard error where standard output is taken.
std::FILE* messages_beside(std::string_view path);

/// Whether a file could be written there, without writing it: better known before hours of work than after.
Result<void> check_writable(const std::string& argument, const std::string& path);

/// Writes the text to a file, or to standard output for "-".
Result<void> write_text(const std::string& argument, const std::string& path, std::string_view text);

}  // namespace wgemm::cli
