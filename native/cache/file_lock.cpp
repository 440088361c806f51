#include "native/cache/file_lock.hpp"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace wgemm::native {

namespace {

std::filesystem::path lock_of(std::filesystem::path file) { return file += ".lock"; }

}  // namespace

// Systems let go of a lock when its process ends, however it ends.
#ifdef _WIN32

FileLock::FileLock(const std::filesystem::path& file)
    : handle_(CreateFileW(lock_of(file).c_str(), GENERIC_READ | GENERIC_WRITE,
                          FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL,
                          nullptr)) {
  OVERLAPPED whole{};
  if (handle_ != INVALID_HANDLE_VALUE) LockFileEx(handle_, LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &whole);
}

FileLock::~FileLock() {
  if (handle_ != INVALID_HANDLE_VALUE) CloseHandle(handle_);
}

#else

FileLock::FileLock(const std::filesystem::path& file)
    : descriptor_(open(lock_of(file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

#endif

}  // namespace wgemm::native
