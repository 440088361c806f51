// Which fields tuning data have as JSON.
#pragma once

#include "core/json/archive.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::json {

template <typename Archive, As<TuningDevice> T>
void fields(Archive& archive, T& device) {
  archive("vendor", device.vendor);
  archive("architecture", device.architecture);
  archive("name", device.name);
  archive("vendor_id", device.vendor_id);
  archive("device_id", device.device_id);
  archive("driver", device.driver);
  archive("backend", device.backend);
  archive("library", device.library);
  archive("library_version", device.library_version);
}

template <typename Archive, As<TuningProblem> T>
void fields(Archive& archive, T& problem) {
  archive("m", problem.m);
  archive("n", problem.n);
  archive("k", problem.k);
  archive("batch", problem.batch);
  archive("a", problem.a);
  archive("b", problem.b);
  archive("c", problem.c);
  archive("accumulate", problem.accumulate);
  archive("a_order", problem.a_order);
  archive("b_order", problem.b_order);
  archive("c_order", problem.c_order);
  archive("aligned", problem.aligned);
  archive("quantization", problem.quantization);
  archive("dequantise", problem.dequantise);
  archive("epilogue", problem.epilogue);
}

template <typename Archive, As<TuningEntry> T>
void fields(Archive& archive, T& entry) {
  archive("device", entry.device);
  archive("problem", entry.problem);
  archive("kernel", entry.kernel);
  archive("split_k", entry.split_k);
  archive("seconds", entry.seconds);
  archive("heuristic_seconds", entry.heuristic_seconds);
  archive("unchecked_shaders", entry.unchecked_shaders);
  archive("date", entry.date);
  archive("tool", entry.tool);
}

template <typename Archive, As<TuningData> T>
void fields(Archive& archive, T& data) {
  archive("entries", data.entries);
}

}  // namespace wgemm::json
