#include "native/cache/blob_file.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
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

int process_id() {
#ifdef _WIN32
  return _getpid();
#else
  return getpid();
#endif
}

bool read(std::ifstream& file, std::string& bytes) {
  return static_cast<bool>(file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())));
}

}  // namespace

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed) {
  constexpr std::uint64_t kBasis = 0xcbf29ce484222325;
  constexpr std::uint64_t kPrime = 0x100000001b3;
  std::uint64_t hash = kBasis ^ seed;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<std::uint8_t>(byte)) * kPrime;
  }
  return hash;
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
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  Header header{};
  if (error || !file.read(reinterpret_cast<char*>(&header), sizeof header) || header.magic != kMagic ||
      header.key_bytes != key.size() || header.value_bytes != bytes - sizeof header - key.size()) {
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
  static std::atomic<std::uint64_t> count = 0;
  const fs::path unfinished = fmt::format("{}.{}.{}{}", path.string(), process_id(), ++count, kUnfinished);
  const Header header{kMagic, key.size(), value.size(), checksum(key, value)};
  std::ofstream file(unfinished, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(key.data(), static_cast<std::streamsize>(key.size()));
  file.write(value.data(), static_cast<std::streamsize>(value.size()));
  file.close();
  std::error_code error;
  if (!file) {
    fs::remove(unfinished, error);
    return fmt::format("cannot write '{}'", unfinished.string());
  }
  fs::rename(unfinished, path, error);
  if (error) {
    const std::string reason = error.message();
    fs::remove(unfinished, error);
    return fmt::format("cannot write '{}': {}", path.string(), reason);
  }
  return {};
}

}  // namespace wgemm::native
