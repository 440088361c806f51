// One row of the ladder's table: a kernel or a baseline on one problem, how fast it was and whether it was
// right.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wgemm/context.hpp"
#include "wgemm/measure.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::ladder {

enum class Kind : std::uint8_t {
  baseline,  ///< noop, cpu, blas
  rung,
  sweep,  ///< one configuration of a rung's kernel
};

enum class Status : std::uint8_t {
  ok,
  wrong,        ///< the result is not the product; `reason` says where
  unsupported,  ///< the device or the build lacks something; `reason` says what
  failed,       ///< it could not be run although it should; `reason` is the library's message
  device_lost,  ///< the device was gone before this row was done
};

std::string_view to_string(Kind kind);
std::string_view to_string(Status status);
std::string_view to_string(EdgePolicy edges);

struct Row {
  Kind kind = Kind::rung;
  int step = 0;        ///< number of the rung in the tutorial; 0 for baselines
  std::string name;    ///< the rung's name, "noop", "cpu", "blas", or in a sweep the varied parameters
  std::string group;   ///< what a sweep varies; empty otherwise
  std::string adds;    ///< what it adds to the row before
  std::string kernel;  ///< full name of the kernel; empty for baselines
  Status status = Status::ok;
  std::string reason;  ///< why the status is not ok
  std::string note;    ///< what a reader should know of a good row

  bool on_device = true;
  DataType operands = DataType::f32;
  EdgePolicy edges = EdgePolicy::checked;
  bool unchecked_shaders = false;

  std::optional<Measurement> time;
  StartCost start;
  std::optional<double> copies_ms;  ///< part of the time that went into packing, padding and cropping
  double rows_share = 1;  ///< share of C's rows that was computed; the time is scaled up to all of them

  std::optional<double> gflops;
  std::optional<double> speedup_before;  ///< over the f32 rung before
  std::optional<double> speedup_naive;
  std::optional<double> roofline_share;  ///< of what the device could reach on this product
  std::optional<double> intensity;       ///< operations per byte that the kernel asks for
  std::optional<double> error_over_bound;
  std::optional<bool> exact;  ///< the product of small integers was equal, element by element; unset: not run
};

}  // namespace wgemm::ladder
