#include "cli/files/new_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <system_error>
#include <utility>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <process.h>
#else
#include <unistd.h>
#endif

namespace wgemm::cli {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannot_write(const std::string& argument, const std::string& path,
                                   std::string_view why) {
  return fail(ErrorCode::io, argument, fmt::format("{}: cannot write '{}': {}", argument, path, why));
}

/// Renaming would replace a file that the user may not write to.
bool is_protected(const fs::path& path) {
#ifdef _WIN32
  return (fs::status(path).permissions() & fs::perms::owner_write) == fs::perms::none;
#else
  return access(path.c_str(), W_OK) != 0;
#endif
}

/// Unique among the programs that write the same file at once.
std::string temporary_suffix() {
#ifdef _WIN32
  return fmt::format(".{}.tmp", _getpid());
#else
  return fmt::format(".{}.tmp", getpid());
#endif
}

}  // namespace

Result<NewFile> NewFile::create(const std::string& argument, const std::string& path) {
  std::error_code error;
  NewFile file;
  file.argument_ = argument;
  if (is_standard_output(path)) {
#ifdef _WIN32
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    return file;
  }
  // A link keeps pointing to the file that it names.
  file.target_ = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return cannot_write(argument, path, error.message());
  const auto status = fs::status(file.target_, error);
  if (fs::is_directory(status)) return cannot_write(argument, path, "it is a folder");
  const auto folder = file.target_.parent_path();
  if (!fs::is_directory(folder, error)) {
    return cannot_write(argument, path, fmt::format("there is no folder '{}'", folder.string()));
  }
  const bool in_place = fs::exists(status) && !fs::is_regular_file(status);
  if (fs::is_regular_file(status) && is_protected(file.target_)) {
    return cannot_write(argument, path, "permission denied");
  }
  file.permissions_ = fs::is_regular_file(status) ? status.permissions() : fs::perms::unknown;
  if (!in_place) file.temporary_ = file.target_.string() + temporary_suffix();
  file.stream_.open(in_place ? file.target_ : file.temporary_, std::ios::binary);
  if (!file.stream_) {
    const auto* why = std::strerror(errno);
    file.temporary_.clear();
    return cannot_write(argument, path, why);
  }
  return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : argument_(std::move(other.argument_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      permissions_(other.permissions_),
      stream_(std::move(other.stream_)) {}

NewFile::~NewFile() {
  if (temporary_.empty()) return;
  stream_.close();
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

std::ostream& NewFile::stream() { return target_.empty() ? std::cout : static_cast<std::ostream&>(stream_); }

Result<void> NewFile::commit() {
  if (target_.empty()) {
    if (std::cout.flush()) return {};
    return cannot_write(argument_, output_name("-"), "it is closed or full");
  }
  stream_.close();
  if (!stream_) return cannot_write(argument_, target_.string(), "the disk may be full");
  if (temporary_.empty()) return {};
  std::error_code error;
  // Who could read the file before can read the new one, and nobody else.
  if (permissions_ != fs::perms::unknown) fs::permissions(temporary_, permissions_, error);
  if (!error) fs::rename(temporary_, target_, error);
  if (error) return cannot_write(argument_, target_.string(), error.message());
  temporary_.clear();
  return {};
}

bool is_standard_output(std::string_view path) { return path == "-"; }

std::string output_name(const std::string& path) {
  return is_standard_output(path) ? "standard output" : path;
}

std::FILE* messages_beside(std::string_view path) { return is_standard_output(path) ? stderr : stdout; }

Result<void> check_writable(const std::string& argument, const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  // A pipe that is opened and closed again tells its reader that this was all.
  const bool special = fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
  if (is_standard_output(path) || special) return {};
  const auto file = NewFile::create(argument, path);
  if (!file) return tl::unexpected(file.error());
  return {};
}

Result<void> write_text(const std::string& argument, const std::string& path, std::string_view text) {
  auto file = NewFile::create(argument, path);
  if (!file) return tl::unexpected(file.error());
  file->stream() << text;
  return file->commit();
}

}  // namespace wgemm::cli
