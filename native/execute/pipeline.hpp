// A compiled kernel, and the cache that compiles each text once: sizes are uniforms, so products of many
// sizes share it.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
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
};

/// Size of the uniform binding of a step, in bytes; 0 without uniforms.
std::uint64_t uniform_bytes(const Step& step);

/// Keeps the pipelines that were used last. Not for several threads at once.
class PipelineCache {
 public:
  /// The pipeline of a step's shader with its bindings. Errors: compilation, with the library's message;
  /// device_lost.
  Result<std::shared_ptr<const Pipeline>> get(Device& device, const Shader& shader, const Step& step);

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const Pipeline>>;
  std::list<Entry> entries_;  ///< the most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace wgemm::native
