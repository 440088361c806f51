// Timestamps that the device writes at the ends of compute passes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "native/context/device_buffer.hpp"

namespace wgemm::native {

class Timestamps {
 public:
  /// Passes that one submission can time.
  static constexpr std::uint32_t kPasses = 512;

  /// Only for devices whose profile says `timestamps`.
  static Result<Timestamps> create(const std::shared_ptr<Device>& device);

  /// The two stamps of the pass number `pass` of a submission.
  [[nodiscard]] WGPUPassTimestampWrites writes(std::uint32_t pass) const;
  /// Brings the stamps of the first `passes` passes to where `read` finds them.
  void resolve(WGPUCommandEncoder encoder, std::uint32_t passes) const;
  /// Waits for the submission; start and end of each pass in nanoseconds, from an arbitrary origin.
  Result<std::vector<double>> read(std::uint32_t passes) const;

 private:
  std::shared_ptr<Device> device_;
  Handle<WGPUQuerySet> queries_;
  DeviceBuffer resolved_;
  DeviceBuffer readable_;
  double period_ns_ = 1;
};

/// Nanoseconds from the first of the stamps on, so that no digit is lost; a stamp before it is negative.
/// `period_ns`: of a tick, where the library hands out ticks; else 1.
std::vector<double> to_nanoseconds(std::span<const std::uint64_t> stamps, double period_ns);

/// Adds the length of each pass in milliseconds to the sum of its step; `passes` holds the step of each.
/// Returns how many passes ended before they began, which count nowhere: the clocks of some devices jump.
std::uint32_t add_spans(std::span<const double> stamps, std::span<const std::size_t> passes,
                        std::span<double> step_ms);

/// The largest step in nanoseconds that leads to every stamp; 0 where they show none.
double common_step(std::span<const double> stamps);

/// Step of the device's clock in nanoseconds, from the stamps of empty passes.
Result<double> observe_quantum(Device& device, const Timestamps& timestamps);

}  // namespace wgemm::native
