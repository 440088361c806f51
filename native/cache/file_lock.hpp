// One process at a time changes what it has read.
#pragma once

#include <filesystem>

namespace wgemm::native {

/// Held while the object lives; threads of one process exclude each other too. Waits for whoever holds it.
/// The file beside which the lock is kept need not exist: another of its name and `.lock` is made, and stays.
/// Where the system cannot lock, nobody waits.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  FileLock(FileLock&&) = delete;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
#ifdef _WIN32
  void* handle_;
#else
  int descriptor_;
#endif
};

}  // namespace wgemm::native
