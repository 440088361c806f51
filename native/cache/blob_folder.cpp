#include "native/cache/blob_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>
#include <vector>

#include "native/cache/blob_file.hpp"
#include "native/cache/whole_file.hpp"

namespace wgemm::native {

namespace fs = std::filesystem;

namespace {

/// By which files of ours are known, in a folder that may hold others.
constexpr std::string_view kEnding = ".blob";

struct Entry {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

/// Values in the folder. What a process that ended left unfinished goes.
std::vector<Entry> entries_of(const fs::path& folder) {
  constexpr auto kAbandoned = std::chrono::hours(1);
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    const std::string name = each->path().filename().string();
    std::error_code gone;
    const fs::file_time_type used = each->last_write_time(gone);
    const std::uint64_t bytes = gone ? 0 : each->file_size(gone);
    if (gone) {
      continue;
    }
    if (name.ends_with(kEnding)) {
      entries.push_back({each->path(), bytes, used});
    } else if (name.ends_with(kUnfinished) && name.find(kEnding) != std::string::npos &&
               fs::file_time_type::clock::now() - used > kAbandoned) {
      fs::remove(each->path(), gone);
    }
  }
  return entries;
}

}  // namespace

BlobFolder::BlobFolder(std::string folder, std::uint64_t max_bytes, LogCallback log)
    : folder_(std::move(folder)), max_bytes_(max_bytes), log_(std::move(log)) {}

fs::path BlobFolder::path_of(std::string_view key) const {
  return folder_ / fmt::format("{:016x}{}", fingerprint(key), kEnding);
}

std::string BlobFolder::find(std::string_view key) {
  const fs::path path = path_of(key);
  Blob blob = read_blob(path, key);
  switch (blob.status) {
    case BlobStatus::found: {
      ++hits_;
      std::error_code ignored;  // a folder that cannot be written keeps its order
      fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
      return std::move(blob.value);
    }
    case BlobStatus::unusable:
      ++unusable_;
      break;
    case BlobStatus::absent:
      ++misses_;
      break;
  }
  return {};
}

void BlobFolder::store(std::string_view key, std::string_view value) {
  if (value.empty() || blob_file_bytes(key, value) > max_bytes_) {
    return;
  }
  const std::string problem = write(key, value);
  if (!problem.empty()) {
    if (!told_.exchange(true) && log_) {
      log_(Severity::warning, fmt::format("compiled pipelines are not kept: {}", problem));
    }
    return;
  }
  ++stored_;
  const std::lock_guard lock(mutex_);
  bytes_ += blob_file_bytes(key, value);
  if (!counted_ || bytes_ > max_bytes_) {
    trim();
  }
}

std::string BlobFolder::write(std::string_view key, std::string_view value) {
  std::error_code error;
  if (fs::create_directories(folder_, error)) {
    // What lies in there is run: it is the user's alone.
    fs::permissions(folder_, fs::perms::owner_all, error);
  }
  if (error) {
    return fmt::format("cannot make the folder '{}': {}", folder_.string(), error.message());
  }
  return write_blob(path_of(key), key, value);
}

void BlobFolder::trim() {
  std::vector<Entry> entries = entries_of(folder_);
  counted_ = true;
  bytes_ = 0;
  for (const Entry& entry : entries) {
    bytes_ += entry.bytes;
  }
  if (bytes_ <= max_bytes_) {
    return;
  }
  // Further than it must, so that the next values find room.
  const std::uint64_t enough = max_bytes_ / 4 * 3;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (bytes_ <= enough) {
      break;
    }
    std::error_code ignored;  // another process may have removed it
    fs::remove(entry.path, ignored);
    bytes_ -= entry.bytes;
  }
}

PipelineCacheUse BlobFolder::use() const {
  return {folder_.string(), hits_.load(), misses_.load(), unusable_.load(), stored_.load()};
}

}  // namespace wgemm::native
