// What differs between the WebGPU libraries behind the same C interface.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "wgemm/device_profile.hpp"

namespace wgemm::native {

enum class LibraryKind : std::uint8_t { dawn, wgpu };

struct Capabilities {
  std::string_view name;  ///< as ContextOptions::webgpu takes it
  Dialect dialect;
  bool enumerates_adapters;  ///< lists its adapters; otherwise they are found by asking in several ways
  bool polls_device;         ///< callbacks arrive in a poll of the device, otherwise of the instance
  bool resolves_to_ticks;    ///< timestamps want the queue's period; otherwise they are nanoseconds
  bool
      internal_error_scopes;  ///< takes scopes for internal errors; otherwise such a scope aborts the process
  bool aborts_when_lost;      ///< queue calls on a lost device abort the process: they must be guarded
  bool compiles_asynchronously;  ///< makes pipelines on threads of its own; otherwise the caller needs one
  bool tells_loss;               ///< has a future for the loss of a device; otherwise a call's error tells
  bool scopes_by_thread;     ///< error scopes belong to a thread; otherwise to the device, for all threads
  bool unchecked_by_shader;  ///< bounds checks are left out module by module; otherwise device by device
  std::uint64_t
      supported_version;  ///< major version that the tables of extensions.hpp describe; 0: it tells none
  /// Functions that the library exports and does not implement: a call aborts the process, so none may be
  /// reached.
  std::span<const std::string_view> aborting;
};

namespace detail {
inline constexpr std::array<std::string_view, 7> kWgpuAborting = {
    "GetProcAddress",
    "DeviceCreateComputePipelineAsync",
    "InstanceGetWGSLLanguageFeatures",
    "ShaderModuleGetCompilationInfo",
    "DeviceGetLostFuture",
    "DeviceGetAdapterInfo",
    "InstanceWaitAny",
};
}  // namespace detail

inline constexpr Capabilities kDawnCapabilities{
    .name = "dawn",
    .dialect = Dialect::dawn,
    .enumerates_adapters = false,
    .polls_device = false,
    .resolves_to_ticks = false,
    .internal_error_scopes = true,
    .aborts_when_lost = false,
    .compiles_asynchronously = true,
    .tells_loss = true,
    .scopes_by_thread = true,
    .unchecked_by_shader = false,
    .supported_version = 0,
    .aborting = {},
};

inline constexpr Capabilities kWgpuCapabilities{
    .name = "wgpu",
    .dialect = Dialect::naga,
    .enumerates_adapters = true,
    .polls_device = true,
    .resolves_to_ticks = true,
    .internal_error_scopes = false,
    .aborts_when_lost = true,
    .compiles_asynchronously = false,
    .tells_loss = false,
    .scopes_by_thread = false,
    .unchecked_by_shader = true,
    .supported_version = 29,
    .aborting = detail::kWgpuAborting,
};

constexpr const Capabilities& capabilities_of(LibraryKind kind) {
  return kind == LibraryKind::dawn ? kDawnCapabilities : kWgpuCapabilities;
}

}  // namespace wgemm::native
