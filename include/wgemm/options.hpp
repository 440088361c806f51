// How a context opens its device, and where the words of the WebGPU library go.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "wgemm/tuning.hpp"

namespace wgemm {

enum class Severity : std::uint8_t { info, warning, error };
/// Receives what the WebGPU library says; the library itself prints nothing. May be called from any thread.
/// Must not throw: the exception would pass through the WebGPU library.
using LogCallback = std::function<void(Severity, std::string_view)>;

struct ContextOptions {
  /// "dawn", "wgpu", the path of a library, or "": the environment variable WGEMM_WEBGPU, else the first that
  /// is found and has an adapter (dawn before wgpu).
  std::string webgpu;
  /// "vulkan", "metal", "d3d12", "gl", or "" for the platform's own.
  std::string backend;
  /// Part of the adapter's name, in any case, or its number in `list_adapters` (up to two digits are always a
  /// number); "" chooses: hardware before software, discrete before integrated.
  std::string adapter;
  /// Run shaders without the bounds checks that the WebGPU library adds, where the plan proves them needless.
  bool unchecked_shaders = false;
  /// Open the device with the specification's minimum limits and without optional features (timestamps
  /// excepted).
  bool minimum_limits = false;
  /// How long a wait for the device may last before it becomes ErrorCode::timeout, where a call sets no time
  /// of its own (CallOptions).
  std::chrono::milliseconds timeout{120000};
  /// Device memory that the context keeps between calls for scratch, operands of host products and copies to
  /// the host, in bytes. What a call needs beyond it is freed after the call.
  std::uint64_t pooled_bytes = std::uint64_t{512} << 20;
  LogCallback log;
  /// Bytes of device memory that a product from host to host may take; a larger one is streamed through in
  /// panels of its matrices. 0: what the device can hold at once, as far as its limits tell. A cap within
  /// which a product would take more than 1,000,000 panels is an error (unsupported, "memory_cap"), whose
  /// message has the least cap that does.
  std::uint64_t memory_cap = 0;
  /// Folder in which compiled pipelines are kept, so that a later process need not compile them: Dawn has
  /// them kept, on a device that the context opens. "": the environment variable WGEMM_PIPELINE_CACHE, which
  /// takes the same values, else `pipelines` in `cache_folder` (cache_folder.hpp). "off": none. A folder that
  /// cannot be read or written is no error, but told to `log`; a file in it that is damaged or of another
  /// device, driver or library counts for nothing.
  std::string pipeline_cache;
  /// Bytes that the folder may grow to; then the pipelines go that were used longest ago.
  std::uint64_t pipeline_cache_bytes = std::uint64_t{256} << 20;
  /// Measured choices that plans go by. Null: those of the user's file (tuning_file.hpp), and for what it
  /// says nothing of, those shipped with the library. An application gives its own, or an empty one for none.
  std::shared_ptr<const TuningData> tuning;
};

}  // namespace wgemm
