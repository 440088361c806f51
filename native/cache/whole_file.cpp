#include "native/cache/whole_file.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <fstream>
#include <system_error>

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

namespace wgemm::native {

namespace fs = std::filesystem;

namespace {

int process_id() {
#ifdef _WIN32
  return _getpid();
#else
  return getpid();
#endif
}

}  // namespace

std::string write_whole_file(const fs::path& path, std::initializer_list<std::string_view> parts) {
  // Beside its target, so that renaming is one step; unique among programs and threads that write it at once.
  static std::atomic<std::uint64_t> count = 0;
  const fs::path unfinished = fmt::format("{}.{}.{}{}", path.string(), process_id(), ++count, kUnfinished);
  std::ofstream file(unfinished, std::ios::binary);
  for (const std::string_view part : parts) {
    file.write(part.data(), static_cast<std::streamsize>(part.size()));
  }
  file.close();
  std::error_code error;
  if (!file) {
    fs::remove(unfinished, error);
    return "the folder is not writable, or the disk is full";
  }
  fs::rename(unfinished, path, error);
  if (error) {
    std::string reason = error.message();
    fs::remove(unfinished, error);
    return reason;
  }
  return {};
}

}  // namespace wgemm::native
