// A folder of values by key that may vanish at any time: a cache of at most so many bytes, which other
// processes use at the same time.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "wgemm/context.hpp"
#include "wgemm/options.hpp"

namespace wgemm::native {

/// Every function may be called from several threads. Nothing is an error: what cannot be read is not there,
/// and the first value that cannot be written is told to the log.
class BlobFolder {
 public:
  /// The folder is made when a value is stored.
  BlobFolder(std::string folder, std::uint64_t max_bytes, LogCallback log);

  /// Empty where there is none.
  std::string find(std::string_view key);
  /// Where the folder grows beyond its bytes, the values go that were used longest ago.
  void store(std::string_view key, std::string_view value);

  [[nodiscard]] PipelineCacheUse use() const;

 private:
  [[nodiscard]] std::filesystem::path path_of(std::string_view key) const;
  std::string write(std::string_view key, std::string_view value);
  void trim();

  std::filesystem::path folder_;
  std::uint64_t max_bytes_;
  LogCallback log_;
  std::atomic<std::uint64_t> hits_ = 0;
  std::atomic<std::uint64_t> misses_ = 0;
  std::atomic<std::uint64_t> unusable_ = 0;
  std::atomic<std::uint64_t> stored_ = 0;
  std::atomic<bool> told_ = false;  ///< to the log, that nothing can be written

  std::mutex mutex_;
  bool counted_ = false;
  std::uint64_t bytes_ = 0;  ///< of the folder when it was last counted, and what was stored since
};

}  // namespace wgemm::native
