// A file that holds one value and the key that it belongs to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace wgemm::native {

/// A hash that files are named by and that tells damage: FNV-1a of 64 bits. It need not keep keys apart, for
/// files hold theirs.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed = 0);

/// Bytes of the file of such a value.
std::uint64_t blob_file_bytes(std::string_view key, std::string_view value);

enum class BlobStatus : std::uint8_t {
  found,
  absent,
  unusable  ///< there is a file: of another key, cut short, damaged, or none of ours
};

struct Blob {
  BlobStatus status = BlobStatus::absent;
  std::string value;
};

/// The value under the key in the file at `path`.
Blob read_blob(const std::filesystem::path& path, std::string_view key);

/// Puts a file of the value in the place of what is at `path`, whole or not at all, whoever reads or writes
/// it meanwhile. Gives what went wrong; empty: nothing.
std::string write_blob(const std::filesystem::path& path, std::string_view key, std::string_view value);

}  // namespace wgemm::native
