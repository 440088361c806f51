// Compiled pipelines on disk, for devices of Dawn: it asks for them by keys of its own and hands out what it
// compiled.
#pragma once

#include <memory>
#include <string>

#include "native/cache/blob_folder.hpp"
#include "native/extensions.hpp"
#include "native/library/library.hpp"
#include "wgemm/device_profile.hpp"

namespace wgemm::native {

/// Must outlive the device that `chain` was part of.
class DawnCache {
 public:
  /// Null where there is to be none: another library, switched off, or no folder known.
  static std::unique_ptr<DawnCache> open(const Library& library, const DeviceProfile& profile,
                                         const ContextOptions& options);

  /// To be chained to the device's descriptor, with `next` behind it.
  WGPUChainedStruct* chain(WGPUChainedStruct* next);
  [[nodiscard]] PipelineCacheUse use() const { return folder_.use(); }

  DawnCache(std::string folder, std::string isolation_key, const ContextOptions& options);
  DawnCache(const DawnCache&) = delete;
  DawnCache& operator=(const DawnCache&) = delete;

 private:
  BlobFolder folder_;
  std::string isolation_key_;  ///< part of every key
  DawnCacheDevice descriptor_{};
};

}  // namespace wgemm::native
