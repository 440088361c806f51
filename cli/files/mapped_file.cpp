#include "cli/files/mapped_file.hpp"

#ifndef _WIN32
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace wgemm::cli {

#ifdef _WIN32
std::shared_ptr<const MappedFile> MappedFile::open(const std::string&) { return nullptr; }
MappedFile::~MappedFile() = default;
#else
std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat status{};
  void* memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    memory = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);  // the mapping stays
  if (memory == MAP_FAILED) return nullptr;
  const std::span bytes(static_cast<const std::byte*>(memory), static_cast<std::size_t>(status.st_size));
  return std::shared_ptr<const MappedFile>(new MappedFile(bytes));
}

MappedFile::~MappedFile() { munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size()); }
#endif

}  // namespace wgemm::cli
