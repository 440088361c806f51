// A file as memory, read when it is touched: for matrices larger than the machine's memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace wgemm::cli {

/// All bytes of a file for as long as the object lives. A program that makes the file shorter in the meantime
/// ends this one; `NewFile` does not, since it puts a new file in its place.
class MappedFile {
 public:
  /// Nothing where the file is empty, or the system or the file cannot do it: then it is to be read.
  static std::shared_ptr<const MappedFile> open(const std::string& path);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile(MappedFile&&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace wgemm::cli
