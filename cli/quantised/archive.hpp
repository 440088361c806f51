// NumPy's .npz files: zip archives of .npy files, by libzip.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wgemm/error.hpp"

struct zip;

namespace wgemm::cli {

/// An archive that is open for reading.
class Archive {
 public:
  /// Errors: not_found, io; each names the file.
  static Result<Archive> open(const std::string& path);

  /// The bytes of the member `name`, whose checksum is right. Errors: io; each names the file.
  [[nodiscard]] Result<std::string> read(const std::string& name) const;

  [[nodiscard]] bool holds(const std::string& name) const;
  /// Names of all members.
  [[nodiscard]] std::vector<std::string> members() const;

 private:
  struct Discard {
    void operator()(zip* archive) const;
  };
  Archive(std::string path, zip* archive) : path_(std::move(path)), archive_(archive) {}

  std::string path_;
  std::unique_ptr<zip, Discard> archive_;
};

/// An archive of named members, stored as they are; the same members give the same bytes. Errors: io.
Result<std::string> make_archive(const std::vector<std::pair<std::string, std::string>>& members);

}  // namespace wgemm::cli
