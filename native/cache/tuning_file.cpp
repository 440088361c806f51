#include "wgemm/tuning_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "native/cache/file_lock.hpp"
#include "native/cache/whole_file.hpp"

namespace wgemm {

namespace fs = std::filesystem;

namespace {

tl::unexpected<Error> cannot_write(const std::string& path, const std::string& why) {
  return fail(ErrorCode::io, "tuning", fmt::format("cannot write '{}': {}", path, why));
}

/// The whole path; its folder is there.
Result<fs::path> in_its_folder(const std::string& path) {
  std::error_code error;
  fs::path target = fs::absolute(path, error);
  fs::create_directories(target.parent_path(), error);
  if (error) {
    return cannot_write(path, error.message());
  }
  return target;
}

}  // namespace

Result<TuningData> load_tuning(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    return fail(ErrorCode::not_found, "tuning", fmt::format("there is no file '{}'", path));
  }
  // A stream throws when it reads a folder.
  std::ifstream stream;
  if (!fs::is_directory(path, error)) {
    stream.open(path, std::ios::binary);
  }
  const std::string text =
      stream.is_open() ? std::string(std::istreambuf_iterator<char>(stream), {}) : std::string();
  if (!stream.is_open() || stream.bad()) {
    return fail(ErrorCode::io, "tuning", fmt::format("cannot read '{}'", path));
  }
  Result<TuningData> data = tuning_from_json(text);
  if (!data) {
    data.error().message = fmt::format("'{}': {}", path, data.error().message);
  }
  return data;
}

Result<void> save_tuning(const std::string& path, const TuningData& data) {
  const Result<fs::path> target = in_its_folder(path);
  if (!target) {
    return tl::unexpected(target.error());
  }
  if (const std::string reason = native::write_whole_file(*target, {to_json(data), "\n"}); !reason.empty()) {
    return cannot_write(path, reason);
  }
  return {};
}

Result<void> add_tuning(const std::string& path, const TuningData& data) {
  const Result<fs::path> target = in_its_folder(path);
  if (!target) {
    return tl::unexpected(target.error());
  }
  const native::FileLock lock(*target);
  Result<TuningData> held = load_tuning(path);
  if (!held && held.error().code == ErrorCode::not_found) {
    held = TuningData{};
  }
  if (!held) {
    return tl::unexpected(held.error());
  }
  held->merge(data);
  return save_tuning(path, *held);
}

}  // namespace wgemm
