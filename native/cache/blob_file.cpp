#include "native/cache/blob_file.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <optional>

#include "core/text/hash.hpp"
#include "native/cache/whole_file.hpp"

namespace wgemm::native {

namespace fs = std::filesystem;

namespace {

/// As it lies in the file, before key and value; in this machine's byte order, since another one has another
/// device.
struct Header {
  std::array<char, 8> magic;
  std::uint64_t key_bytes;
  std::uint64_t value_bytes;
  std::uint64_t checksum;  ///< of key and value
};
static_assert(sizeof(Header) == 32);
constexpr std::array<char, 8> kMagic{'w', 'g', 'e', 'm', 'm', 'b', 'l', '1'};

std::uint64_t checksum(std::string_view key, std::string_view value) {
  return fingerprint(value, fingerprint(key));
}

/// Of the open file. Its path may name another one by now: a writer puts a new file in its place.
std::optional<std::uint64_t> bytes_of(std::ifstream& file) {
  file.seekg(0, std::ios::end);
  const std::streamoff end = file.tellg();
  file.seekg(0);
  return file && end >= 0 ? std::optional<std::uint64_t>(end) : std::nullopt;
}

bool read(std::ifstream& file, std::string& bytes) {
  return static_cast<bool>(file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())));
}

}  // namespace

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed) {
  return text::hash(bytes, text::kHashOfNothing ^ seed);
}

std::uint64_t blob_file_bytes(std::string_view key, std::string_view value) {
  return sizeof(Header) + key.size() + value.size();
}

Blob read_blob(const fs::path& path, std::string_view key) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return {};
  }
  Blob unusable{BlobStatus::unusable, {}};
  const std::optional<std::uint64_t> bytes = bytes_of(file);
  Header header{};
  if (!bytes || !file.read(reinterpret_cast<char*>(&header), sizeof header) || header.magic != kMagic ||
      header.key_bytes != key.size() || header.value_bytes != *bytes - sizeof header - key.size()) {
    return unusable;
  }
  std::string stored(key.size(), '\0');
  Blob blob{BlobStatus::found, std::string(header.value_bytes, '\0')};
  if (!read(file, stored) || stored != key || !read(file, blob.value) ||
      header.checksum != checksum(key, blob.value)) {
    return unusable;
  }
  return blob;
}

std::string write_blob(const fs::path& path, std::string_view key, std::string_view value) {
  const Header header{kMagic, key.size(), value.size(), checksum(key, value)};
  const std::string_view head(reinterpret_cast<const char*>(&header), sizeof header);
  const std::string reason = write_whole_file(path, {head, key, value});
  return reason.empty() ? reason : fmt::format("cannot write '{}': {}", path.string(), reason);
}

}  // namespace wgemm::native
