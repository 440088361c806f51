// What is known of a plan on a device: whether it is right, and how fast.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  not_run,      ///< there was no time left for it; `reason` says of what
};

std::string_view to_string(Status status);

struct Outcome {
  std::string kernel;  ///< full name
  Status status = Status::ok;
  std::string reason;  ///< why the status is not ok
  std::string note;    ///< what a reader should know of a good row
  bool unchecked_shaders = false;
  std::size_t steps = 0;      ///< of the plan: more than one where operands are copied or results added up
  std::uint32_t split_k = 1;  ///< parts into which k was cut

  std::optional<double> error_over_bound;
  std::optional<bool> exact;  ///< the product of small integers was equal, element by element; unset: not run
  /// Elements that were compared one by one; where those are not all, an identity took in the others.
  std::uint64_t compared = 0;
  bool identity = false;

  StartCost start;
  std::optional<Measurement> time;  ///< of all passes (combine)
  std::vector<Measurement> passes;
  std::optional<double> copies_ms;  ///< part of the time that went into packing, padding and cropping
  std::optional<double> gflops;
  std::optional<double> gigabytes_per_second;  ///< each element of A, B and C moved once
  /// Of what the device could reach on this product: of f32 at its peak or its bandwidth, of other types at
  /// its bandwidth, where that is the lower one even of f32.
  std::optional<double> roofline_share;
  std::optional<double> intensity;  ///< operations per byte that the kernel asks for
};

/// Takes the time back, and what was reckoned from it.
void clear_time(Outcome& outcome);

/// Status and reason of an outcome that ended with an error.
void set_error(Outcome& outcome, const Error& error);

}  // namespace wgemm::bench
