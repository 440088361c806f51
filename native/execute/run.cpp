#include "native/execute/run.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace wgemm::native {

namespace {

using Clock = std::chrono::steady_clock;

/// Work that one submission holds at most, as far as it can be told beforehand: drivers end devices whose
/// submissions last for several seconds.
constexpr double kLongestSubmissionMs = 1000;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Records dispatches into passes and passes into submissions, and sums up the time that they took.
class Recorder {
 public:
  Recorder(PreparedPlanData& prepared, const Timestamps* timestamps, std::size_t steps, const Wait& wait)
      : prepared_(prepared),
        device_(*prepared.device()),
        timestamps_(timestamps),
        step_ms_(steps),
        wait_(wait) {}

  /// Appends one dispatch that is expected to take `expected_ms`.
  Result<void> add(const BoundOperands& bound, std::size_t step, std::size_t dispatch, double expected_ms) {
    if (Result<void> goes_on = wait_.check(); !goes_on) {
      return goes_on;
    }
    if (encoder_ && (expected_ms_ + expected_ms > kLongestSubmissionMs)) {
      if (Result<void> done = submit(); !done) {
        return done;
      }
    }
    if (!pass_) {
      if (passes_.size() == Timestamps::kPasses) {
        if (Result<void> done = submit(); !done) {
          return done;
        }
      }
      begin_pass(step);
    }
    prepared_.encode(pass_.get(), bound, step, dispatch);
    expected_ms_ += expected_ms;
    return {};
  }

  void end_pass() {
    if (pass_) {
      device_.gpu().ComputePassEncoderEnd(pass_.get());
      pass_.reset();
    }
  }

  /// Submits what was recorded and waits for it.
  Result<void> submit() {
    if (!encoder_) {
      return {};
    }
    end_pass();
    const Functions& gpu = device_.gpu();
    const auto count = static_cast<std::uint32_t>(passes_.size());
    if (timestamps_ != nullptr) {
      timestamps_->resolve(encoder_.get(), count);
    }
    const Handle<WGPUCommandBuffer> commands(gpu.CommandEncoderFinish(encoder_.get(), nullptr),
                                             gpu.CommandBufferRelease);
    encoder_.reset();
    const auto start = Clock::now();
    if (Result<void> submitted = device_.submit(commands.get()); !submitted) {
      return submitted;
    }
    if (Result<void> drained = device_.drain(wait_); !drained) {
      return drained;
    }
    host_ms_ += ms_since(start);
    if (timestamps_ != nullptr) {
      if (Result<void> read = read_stamps(count); !read) {
        return read;
      }
    }
    passes_.clear();
    expected_ms_ = 0;
    return {};
  }

  [[nodiscard]] double host_ms() const { return host_ms_; }
  /// By step of the pass's first dispatch.
  [[nodiscard]] const std::vector<double>& step_ms() const { return step_ms_; }
  [[nodiscard]] std::uint32_t backward_spans() const { return backward_spans_; }

 private:
  void begin_pass(std::size_t step) {
    const Functions& gpu = device_.gpu();
    if (!encoder_) {
      encoder_ = {gpu.DeviceCreateCommandEncoder(device_.get(), nullptr), gpu.CommandEncoderRelease};
    }
    WGPUComputePassDescriptor descriptor{};
    WGPUPassTimestampWrites writes{};
    if (timestamps_ != nullptr) {
      writes = timestamps_->writes(static_cast<std::uint32_t>(passes_.size()));
      descriptor.timestampWrites = &writes;
    }
    pass_ = {gpu.CommandEncoderBeginComputePass(encoder_.get(), &descriptor), gpu.ComputePassEncoderRelease};
    passes_.push_back(step);
  }

  Result<void> read_stamps(std::uint32_t count) {
    Result<std::vector<double>> stamps = timestamps_->read(count);
    if (!stamps) {
      return tl::unexpected(stamps.error());
    }
    backward_spans_ += add_spans(*stamps, passes_, step_ms_);
    return {};
  }

  PreparedPlanData& prepared_;
  Device& device_;
  const Timestamps* timestamps_;
  Handle<WGPUCommandEncoder> encoder_;
  Handle<WGPUComputePassEncoder> pass_;
  std::vector<std::size_t> passes_;  ///< step of each pass of the submission
  double expected_ms_ = 0;           ///< of what was recorded and not yet submitted
  double host_ms_ = 0;
  std::vector<double> step_ms_;
  std::uint32_t backward_spans_ = 0;
  const Wait& wait_;
};

/// Records and runs; with a submission for every dispatch where nothing is known of their length.
Result<Recorder> carry_out(PreparedPlanData& prepared, std::span<const OperandViews> operands,
                           std::uint32_t repeats, bool by_step, const Timestamps* timestamps,
                           const Wait& wait) {
  const Plan& plan = prepared.plan();
  const double dispatch_ms =
      prepared.estimate_ms > 0
          ? prepared.estimate_ms / static_cast<double>(std::max<std::size_t>(prepared.dispatch_count(), 1))
          : kLongestSubmissionMs;
  for (const OperandViews& set : operands) {
    if (Result<void> checked = prepared.check_operands(set); !checked) {
      return tl::unexpected(checked.error());
    }
  }
  // A lost device makes no encoder.
  if (Result<void> alive = prepared.device()->check_alive(); !alive) {
    return tl::unexpected(alive.error());
  }
  Result<Scratch> scratch = prepared.take_scratch();
  if (!scratch) {
    return tl::unexpected(scratch.error());
  }
  Recorder recorder(prepared, timestamps, plan.steps.size(), wait);
  for (std::uint32_t i = 0; i < repeats; ++i) {
    auto bound = prepared.bind(operands[i % operands.size()], *scratch);
    if (!bound) {
      return tl::unexpected(bound.error());
    }
    for (std::size_t step = 0; step < plan.steps.size(); ++step) {
      if (by_step) {
        recorder.end_pass();
      }
      for (std::size_t dispatch = 0; dispatch < plan.steps[step].dispatches.size(); ++dispatch) {
        if (Result<void> added = recorder.add(**bound, step, dispatch, dispatch_ms); !added) {
          return tl::unexpected(added.error());
        }
      }
    }
  }
  if (Result<void> submitted = recorder.submit(); !submitted) {
    return tl::unexpected(submitted.error());
  }
  return recorder;
}

/// Gets the driver's compilation out of the way, and an honest estimate where several repetitions depend on
/// it.
Result<void> warm_up(PreparedPlanData& prepared, const OperandViews& operands, std::uint32_t repeats) {
  while (prepared.estimate_ms == 0 || (prepared.cold && repeats > 1)) {
    if (Result<void> done = run_once(prepared, operands); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace

Result<void> run_once(PreparedPlanData& prepared, const OperandViews& operands, const Wait& wait) {
  Result<Recorder> recorder = carry_out(prepared, {&operands, 1}, 1, false, nullptr, wait);
  if (!recorder) {
    Error error = recorder.error();
    if (error.code == ErrorCode::timeout && prepared.estimate_ms == 0) {
      error.message +=
          "; it was the first run, in which drivers compile: a large kernel may take minutes on a "
          "software adapter";
    }
    return tl::unexpected(std::move(error));
  }
  prepared.remember(recorder->host_ms());
  return {};
}

Result<Span> run_timed(PreparedPlanData& prepared, std::span<const OperandViews> operands,
                       std::uint32_t repeats, bool by_step, const Timestamps* timestamps) {
  if (operands.empty() || repeats == 0) {
    return fail(ErrorCode::invalid_argument, operands.empty() ? "operands" : "repeats",
                "a timing needs at least one set of operands and one repetition");
  }
  if (by_step && timestamps == nullptr) {
    return fail(ErrorCode::unsupported, "timestamp-query",
                "times by step need timestamps, which this device lacks");
  }
  const Wait wait;
  if (Result<void> warm = warm_up(prepared, operands.front(), repeats); !warm) {
    return tl::unexpected(warm.error());
  }
  Result<Recorder> recorder = carry_out(prepared, operands, repeats, by_step, timestamps, wait);
  if (!recorder) {
    return tl::unexpected(recorder.error());
  }
  Span span;
  const std::vector<double>& steps = recorder->step_ms();
  if (timestamps != nullptr && recorder->backward_spans() == 0) {
    span.source = TimingSource::timestamps;
    span.total_ms = std::accumulate(steps.begin(), steps.end(), 0.0);
    span.step_ms = by_step ? steps : std::vector<double>();
  } else {
    // Without the time of a dropped span a sum would be too small, and the host's clock is right at least.
    span.source = TimingSource::host_clock;
    span.total_ms = recorder->host_ms();
  }
  prepared.remember(std::max(span.total_ms, 1e-6) / repeats);
  return span;
}

Result<void> record_plan(PreparedPlanData& prepared, const OperandViews& operands,
                         WGPUComputePassEncoder pass) {
  if (Result<void> alive = prepared.device()->check_alive(); !alive) {
    return alive;
  }
  auto bound = prepared.bind_for_recording(operands);
  if (!bound) {
    return tl::unexpected(bound.error());
  }
  const Plan& plan = prepared.plan();
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    for (std::size_t dispatch = 0; dispatch < plan.steps[step].dispatches.size(); ++dispatch) {
      prepared.encode(pass, **bound, step, dispatch);
    }
  }
  return {};
}

Result<void> submit_once(PreparedPlanData& prepared, const OperandViews& operands, const Wait& wait) {
  if (Result<void> goes_on = wait.check(); !goes_on) {
    return goes_on;
  }
  Device& device = *prepared.device();
  if (Result<void> alive = device.check_alive(); !alive) {
    return alive;
  }
  const Functions& gpu = device.gpu();
  const Handle<WGPUCommandEncoder> encoder(gpu.DeviceCreateCommandEncoder(device.get(), nullptr),
                                           gpu.CommandEncoderRelease);
  const Handle<WGPUComputePassEncoder> pass(gpu.CommandEncoderBeginComputePass(encoder.get(), nullptr),
                                            gpu.ComputePassEncoderRelease);
  Result<void> recorded = record_plan(prepared, operands, pass.get());
  gpu.ComputePassEncoderEnd(pass.get());
  if (!recorded) {
    return recorded;
  }
  const Handle<WGPUCommandBuffer> commands(gpu.CommandEncoderFinish(encoder.get(), nullptr),
                                           gpu.CommandBufferRelease);
  return device.submit(commands.get());
}

}  // namespace wgemm::native
