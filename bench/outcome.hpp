// What is known of a plan on a device: whether it is right, and how fast.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "wgemm/error.hpp"
#include "wgemm/measure.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/prepared_plan.hpp"

namespace wgemm::bench {

enum class Status : std::uint8_t {
  ok,
  wrong,        ///< the result is not the product; `reason` says where
  unsupported,  ///< the device or the build lacks something; `reason` says what
  failed,       ///< it could not be run although it should; `reason` is the library's message
  device_lost,  ///< the device was gone before this was done
};

std::string_view to_string(Status status);
std::string_view to_string(EdgePolicy edges);

struct Outcome {
  std::string kernel;  ///< full name
  Status status = Status::ok;
  std::string reason;  ///< why the status is not ok
  bool unchecked_shaders = false;
  std::size_t steps = 0;  ///< of the plan: more than one where operands are copied or results added up

  std::optional<double> error_over_bound;
  std::optional<bool> exact;  ///< the product of small integers was equal, element by element; unset: not run

  StartCost start;
  std::optional<Measurement> time;
  std::optional<double> copies_ms;  ///< part of the time that went into packing, padding and cropping
  std::optional<double> gflops;
  std::optional<double> gigabytes_per_second;  ///< each element of A, B and C moved once
  std::optional<double> roofline_share;        ///< of what the device could reach on this product; f32 only
  std::optional<double> intensity;             ///< operations per byte that the kernel asks for
};

/// Status and reason of an outcome that ended with an error.
void set_error(Outcome& outcome, const Error& error);

}  // namespace wgemm::bench
