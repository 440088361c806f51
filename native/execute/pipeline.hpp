// A compiled kernel, and the cache that compiles each text once: sizes are uniforms, so products of many
// sizes share it.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "native/context/device.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::native {

struct Pipeline {
  Handle<WGPUBindGroupLayout> layout;
  Handle<WGPUComputePipeline> handle;
  double shader_ms = 0;  ///< what making it cost, whenever that was
  double pipeline_ms = 0;
  Counted count;
};

/// Size of the uniform binding of a step, in bytes; 0 without uniforms.
std::uint64_t uniform_bytes(const Step& step);

/// Keeps the pipelines that were used last. Threads that want the same text wait for the one that compiles
/// it; other texts compile meanwhile.
class PipelineCache {
 public:
  /// The pipeline of a step's shader with its bindings. Errors: compilation, with the library's message;
  /// device_lost, timeout, cancelled.
  Result<std::shared_ptr<const Pipeline>> get(Device& device, const Shader& shader, const Step& step,
                                              const Wait& wait);
  void clear();

 private:
  struct Slot {
    std::mutex compiling;
    std::shared_ptr<const Pipeline> pipeline;  ///< guarded by `compiling`; empty until it succeeded
  };
  using Entry = std::pair<std::string, std::shared_ptr<Slot>>;
  std::shared_ptr<Slot> slot(std::string key);

  std::mutex mutex_;
  std::list<Entry> entries_;  ///< the most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace wgemm::native
