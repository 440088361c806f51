// Plans that are compiled for a device, and the time that they take.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "wgemm/plan.hpp"

namespace wgemm {

namespace native {
struct Access;
}

class Context;

/// What it cost to get a plan ready to run, in milliseconds of the host's clock. A context compiles each text
/// once; another plan with the same text tells what that cost, too.
struct StartCost {
  double shader_ms = 0;          ///< shader modules
  double pipeline_ms = 0;        ///< compute pipelines
  double first_dispatch_ms = 0;  ///< the first run, in which most drivers compile; 0 until it happened
};

/// How a time was measured: by timestamps that the device writes, or by the host's clock around a drained
/// queue.
enum class TimingSource : std::uint8_t { timestamps, host_clock };
std::string_view to_string(TimingSource source);

/// One timed span of device work.
struct Span {
  double total_ms = 0;          ///< of all repetitions together, every step of the plan
  std::vector<double> step_ms;  ///< of all repetitions, by step of the plan; empty unless asked for
  TimingSource source = TimingSource::host_clock;
};

/// A plan with its pipelines on a device. A handle: copies share the plan. May be used from several threads.
/// Keeps its device alive.
class PreparedPlan {
 public:
  PreparedPlan() = default;
  /// Of an empty handle, an empty plan.
  [[nodiscard]] const Plan& plan() const;
  [[nodiscard]] StartCost start_cost() const;
  explicit operator bool() const { return impl_ != nullptr; }

  /// Lets go of the bind groups that are kept for operands used before, and of the references to the caller's
  /// own WGPUBuffers that go with them.
  void forget_operands();

 private:
  friend class Context;
  friend struct native::Access;
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace wgemm
