// Which fields the planner's options have as JSON, and what it tells of its kernels and of the ladder.
#pragma once

#include "core/json/archive.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::json {

template <typename Archive, As<PlanOptions> T>
void fields(Archive& archive, T& options) {
  archive("kernel", options.kernel);
  archive("edges", options.edges);
  archive("split_k", options.split_k);
  archive("scratch_cap", options.scratch_cap);
  archive("max_dispatch_flops", options.max_dispatch_flops);
  archive("dequantise", options.dequantise);
}

inline void fields(Writer& archive, const KernelParameter& parameter) {
  archive("name", parameter.name);
  archive("meaning", parameter.meaning);
  archive("standard", parameter.standard);
  archive("values", parameter.values);
}

inline void fields(Writer& archive, const KernelInfo& kernel) {
  archive("name", kernel.name);
  archive("summary", kernel.summary);
  archive("parameters", kernel.parameters);
}

inline void fields(Writer& archive, const Rung& rung) {
  archive("step", rung.step);
  archive("name", rung.name);
  archive("adds", rung.adds);
  archive("kernel", rung.kernel);
}

}  // namespace wgemm::json
