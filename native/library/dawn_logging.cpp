#include "native/library/dawn_logging.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "native/extensions.hpp"
#include "native/library/severity.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

// dawn::native::DawnInstanceDescriptor on 64-bit Itanium ABIs, as of 2026: the chained struct; number and
// list of search paths; the platform; the validation level (2, "disabled", after construction) and a flag;
// the callback.
constexpr std::size_t kSTypeOffset = 8;
constexpr std::size_t kValidationOffset = 40;
constexpr std::size_t kCallbackOffset = 48;
constexpr std::size_t kDescriptorBytes = kCallbackOffset + sizeof(DawnLoggingCallbackInfo);
constexpr std::uint32_t kValidationDisabled = 2;
constexpr const char* kConstructor = "_ZN4dawn6native22DawnInstanceDescriptorC1Ev";
constexpr std::byte kPoison{0xA5};

template <typename T>
T read(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

void forward(DawnLoggingType type, WGPUStringView message, void* hub, void* /*unused*/) {
  static_cast<LogHub*>(hub)->say(to_severity(type), to_view(message));
}

bool layout_is_known(std::span<const std::byte> bytes) {
  const auto zero = [](std::byte value) { return value == std::byte{0}; };
  const auto untouched = [](std::byte value) { return value == kPoison; };
  const std::byte* data = bytes.data();
  return read<std::uint32_t>(data + kSTypeOffset) == static_cast<std::uint32_t>(kDawnInstanceDescriptor) &&
         read<std::uint32_t>(data + kValidationOffset) == kValidationDisabled &&
         std::all_of(data, data + kSTypeOffset, zero) &&
         std::all_of(data + kCallbackOffset, data + kDescriptorBytes, zero) &&
         std::all_of(data + kDescriptorBytes, data + bytes.size(), untouched);
}

}  // namespace

DawnInstanceLogging::DawnInstanceLogging(const SharedObject& library, LogHub& hub) {
#if defined(__LP64__)
  auto* construct = reinterpret_cast<void (*)(void*)>(library.symbol(kConstructor));
  if (construct == nullptr) {
    return;
  }
  descriptor_.fill(kPoison);
  construct(descriptor_.data());
  active_ = layout_is_known(descriptor_);
  if (active_) {
    const DawnLoggingCallbackInfo info{nullptr, &forward, &hub, nullptr};
    std::memcpy(descriptor_.data() + kCallbackOffset, &info, sizeof info);
  }
#else
  static_cast<void>(library);
  static_cast<void>(hub);
#endif
}

WGPUChainedStruct* DawnInstanceLogging::chain(WGPUChainedStruct* next) {
  if (!active_) {
    return next;
  }
  std::memcpy(descriptor_.data(), &next, sizeof next);
  return reinterpret_cast<WGPUChainedStruct*>(descriptor_.data());
}

}  // namespace wgemm::native
