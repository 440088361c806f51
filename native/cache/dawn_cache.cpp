#include "native/cache/dawn_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "native/string_view.hpp"
#include "wgemm/cache_folder.hpp"

namespace wgemm::native {

namespace fs = std::filesystem;

namespace {

/// Changes with what a value means, should that ever depend on wgemm.
constexpr int kVersion = 1;

std::string_view view(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

/// Dawn asks for a value's size, then on the same thread for its bytes: the same ones, whatever became of the
/// file.
struct Answer {
  const BlobFolder* folder = nullptr;
  std::string key;
  std::string value;
};

/// Older releases of Dawn have plain functions where callbacks are now, and would call this one as
/// their function that stores, with five arguments: the second userdata tells.
bool is_ours(const void* userdata1, const void* userdata2) {
  return userdata1 != nullptr && userdata1 == userdata2;
}

std::size_t load(std::size_t key_size, const std::uint8_t* key, std::size_t value_size, std::uint8_t* value,
                 void* userdata1, void* userdata2) {
  if (!is_ours(userdata1, userdata2)) {
    return 0;
  }
  thread_local Answer answer;
  BlobFolder& folder = *static_cast<BlobFolder*>(userdata1);
  const std::string_view wanted = view(key, key_size);
  if (answer.folder != &folder || answer.key != wanted || value == nullptr) {
    answer = {&folder, std::string(wanted), folder.find(wanted)};
  }
  const std::size_t size = answer.value.size();
  if (value != nullptr) {
    if (value_size >= size) {
      std::ranges::copy(answer.value, value);
    }
    answer = {};
  }
  return size;
}

void store(std::size_t key_size, const std::uint8_t* key, std::size_t value_size, const std::uint8_t* value,
           void* userdata1, void* userdata2) {
  if (is_ours(userdata1, userdata2)) {
    static_cast<BlobFolder*>(userdata1)->store(view(key, key_size), view(value, value_size));
  }
}

/// The file that Dawn's code is in, by size and time: Dawn tells no version. Empty where it is not found.
std::string identity_of(const Library& library) {
  const fs::path file = file_of(reinterpret_cast<const void*>(library.functions().CreateInstance));
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  if (error) {
    return {};
  }
  const fs::file_time_type written = fs::last_write_time(file, error);
  return error ? std::string() : fmt::format("{} {}", bytes, written.time_since_epoch().count());
}

/// As ContextOptions::pipeline_cache says; empty: none.
std::string chosen_folder(const ContextOptions& options) {
  const char* variable = std::getenv("WGEMM_PIPELINE_CACHE");
  const std::string chosen =
      options.pipeline_cache.empty() && variable != nullptr ? variable : options.pipeline_cache;
  if (chosen == "off") {
    return {};
  }
  if (!chosen.empty()) {
    return chosen;
  }
  const std::string user = cache_folder();
  return user.empty() ? user : (fs::path(user) / "pipelines").string();
}

}  // namespace

std::unique_ptr<DawnCache> DawnCache::open(const Library& library, const DeviceProfile& profile,
                                           const ContextOptions& options) {
  if (library.kind() != LibraryKind::dawn) {
    return nullptr;
  }
  const std::string folder = chosen_folder(options);
  const std::string identity = identity_of(library);
  if (folder.empty() || identity.empty()) {
    return nullptr;
  }
  // Dawn's keys have device, driver and toggles in them as well; this does not rely on it.
  std::string isolation_key =
      fmt::format("wgemm {} | dawn {} | {} {:x}:{:x} | {} | {} | {}", kVersion, identity, profile.name,
                  profile.vendor_id, profile.device_id, profile.driver, profile.backend,
                  options.unchecked_shaders ? "unchecked" : "checked");
  return std::make_unique<DawnCache>(folder, std::move(isolation_key), options);
}

DawnCache::DawnCache(std::string folder, std::string isolation_key, const ContextOptions& options)
    : folder_(std::move(folder), options.pipeline_cache_bytes, options.log),
      isolation_key_(std::move(isolation_key)) {
  descriptor_.chain.sType = kDawnCacheDeviceDescriptor;
  descriptor_.isolation_key = from_view(isolation_key_);
  descriptor_.load = {nullptr, &load, &folder_, &folder_};
  descriptor_.store = {nullptr, &store, &folder_, &folder_};
}

WGPUChainedStruct* DawnCache::chain(WGPUChainedStruct* next) {
  descriptor_.chain.next = next;
  return &descriptor_.chain;
}

}  // namespace wgemm::native
