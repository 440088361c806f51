// The memory of an array: its own, or a part of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cli/files/mapped_file.hpp"

namespace wgemm::cli {

class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::uint64_t size) : own_(size) {}
  Bytes(std::shared_ptr<const MappedFile> file, std::uint64_t start, std::uint64_t size)
      : file_(std::move(file)), part_(file_->bytes().subspan(start, size)) {}

  [[nodiscard]] std::span<const std::byte> view() const { return file_ ? part_ : own_; }
  [[nodiscard]] std::uint64_t size() const { return view().size(); }
  [[nodiscard]] const std::byte* data() const { return view().data(); }
  /// Memory to write to: of bytes of its own, never of a file.
  [[nodiscard]] std::span<std::byte> own() { return own_; }
  /// As memory of its own.
  [[nodiscard]] std::vector<std::byte> take() && {
    return file_ ? std::vector(part_.begin(), part_.end()) : std::move(own_);
  }

 private:
  std::vector<std::byte> own_;
  std::shared_ptr<const MappedFile> file_;
  std::span<const std::byte> part_;
};

}  // namespace wgemm::cli
