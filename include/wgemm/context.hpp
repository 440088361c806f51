// A device to multiply on: opened from a WebGPU library that is found at run time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {

namespace native {
struct Access;  // the native room's way into a context
}

enum class Severity : std::uint8_t { info, warning, error };
/// Receives what the WebGPU library says; the library itself prints nothing. May be called from any thread.
using LogCallback = std::function<void(Severity, std::string_view)>;

struct ContextOptions {
  /// "dawn", "wgpu", the path of a library, or "": the environment variable WGEMM_WEBGPU, else the first that
  /// is found and has an adapter (dawn before wgpu).
  std::string webgpu;
  /// "vulkan", "metal", "d3d12", "gl", or "" for the platform's own.
  std::string backend;
  /// Part of the adapter's name, in any case, or its number in `list_adapters`; "" chooses: hardware before
  /// software, discrete before integrated.
  std::string adapter;
  /// Run shaders without the bounds checks that the WebGPU library adds, where the plan proves them needless.
  bool unchecked_shaders = false;
  /// Open the device with the specification's minimum limits and without optional features (timestamps
  /// excepted).
  bool minimum_limits = false;
  /// How long a wait for the device may last before it becomes ErrorCode::timeout.
  std::chrono::milliseconds timeout{120000};
  LogCallback log;
  /// Bytes of device memory that a product from host to host may take; a larger one is streamed through in
  /// panels of its matrices. 0: what the device can hold at once, as far as its limits tell.
  std::uint64_t memory_cap = 0;
};

class Context;

/// Memory on the device. Movable; freed with the object. Must not outlive its context.
class Buffer {
 public:
  Buffer() = default;
  [[nodiscard]] std::uint64_t size() const;  ///< bytes, a multiple of 4; 0 when empty
  explicit operator bool() const { return impl_ != nullptr; }

 private:
  friend class Context;
  friend struct native::Access;
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

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

/// A plan with its pipelines and scratch buffers on a device. Movable; must not outlive its context.
class PreparedPlan {
 public:
  PreparedPlan() = default;
  [[nodiscard]] const Plan& plan() const;
  [[nodiscard]] const StartCost& start_cost() const;

 private:
  friend class Context;
  friend struct native::Access;
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// One device of one WebGPU library. Calls on one context from several threads must be serialised by the
/// caller.
class Context {
 public:
  /// Opens a device. Errors: not_found (no library, no adapter; the message says what to install),
  /// unsupported.
  static Result<Context> create(const ContextOptions& options = {});

  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  [[nodiscard]] const DeviceProfile& profile() const;
  [[nodiscard]] const ContextOptions& options() const;
  /// Why this adapter was chosen, one line.
  [[nodiscard]] std::string_view choice() const;
  /// Whether shaders run without the library's bounds checks.
  [[nodiscard]] bool unchecked_shaders() const;

  /// A problem from host memory to host memory, in the layouts and types that it states. Spans are bytes, at
  /// least as long as `buffer_bytes` of each matrix, `bias_length` elements, `scales_bytes` and
  /// `zeros_bytes`. Only elements of C are written. Blocks until C is there. Errors: those of `make_plan`,
  /// out_of_memory, device_lost, timeout; C is untouched then.
  struct HostOperands {
    std::span<const std::byte> a;
    std::span<const std::byte> b;
    std::span<std::byte> c;
    std::span<const std::byte> bias;
    std::span<const std::byte> residual;
    std::span<const std::byte> scales;  ///< of a quantised B
    std::span<const std::byte> zeros;
  };
  Result<void> multiply(const Problem& problem, const HostOperands& operands,
                        const PlanOptions& options = {});
  Result<void> multiply(const Problem& problem, std::span<const std::byte> a, std::span<const std::byte> b,
                        std::span<std::byte> c, const PlanOptions& options = {});

  /// C <- A * B for tight row-major f32 matrices: A has m*k elements, B k*n, the result m*n.
  Result<std::vector<float>> matmul(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                    std::span<const float> a, std::span<const float> b);

  /// Compiles a plan. Errors: compilation (the library's message is included), out_of_memory, device_lost.
  Result<PreparedPlan> prepare(const Plan& plan);

  /// Device memory of at least `bytes`, rounded up to a multiple of 4, usable as any operand and for copies.
  Result<Buffer> create_buffer(std::uint64_t bytes);
  /// Copies host bytes into a buffer at `offset`, a multiple of 4. A size that is no multiple of 4 leaves the
  /// bytes of the last word behind it as zeros.
  Result<void> upload(const Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes);
  /// Copies a buffer from `offset`, a multiple of 4, to the host; waits for all work before it.
  Result<void> download(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes);

  /// The caller's memory for one product; nullptr where the plan has no buffer of that role.
  struct Operands {
    const Buffer* a = nullptr;
    const Buffer* b = nullptr;
    const Buffer* c = nullptr;
    const Buffer* bias = nullptr;
    const Buffer* residual = nullptr;
    const Buffer* scales = nullptr;  ///< of a quantised B
    const Buffer* zeros = nullptr;
  };

  /// Runs the plan once; returns when the queue is drained. The first run sets StartCost::first_dispatch_ms.
  /// Errors: invalid_argument (an operand is missing, too small, or C is also another operand), device_lost,
  /// timeout.
  Result<void> run(PreparedPlan& prepared, const Operands& operands);
  Result<void> run(PreparedPlan& prepared, const Buffer& a, const Buffer& b, const Buffer& c);

  /// Runs the plan `repeats` times, repetition i on operands[i % size], and times it: in one submission as
  /// long as that stays under about a second. The first run, in which drivers compile, happens before and is
  /// in no time. `by_step` also times each step of the plan (needs timestamps; costs a pass a step).
  Result<Span> time(PreparedPlan& prepared, std::span<const Operands> operands, std::uint32_t repeats,
                    bool by_step = false);

  /// Steps of the clock behind the timestamps, in nanoseconds, as observed; 0 without timestamps.
  [[nodiscard]] double timestamp_quantum_ns() const;

 private:
  friend struct native::Access;
  struct Impl;
  explicit Context(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wgemm
