// A device to multiply on: opened from a WebGPU library that is found at run time, or the caller's own
// (webgpu.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wgemm/async.hpp"
#include "wgemm/buffer.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/options.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/prepared_plan.hpp"
#include "wgemm/problem.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm {

/// The caller's matrices of one product in host memory, in the layouts and types that the problem states.
/// Spans are bytes, at least as long as `buffer_bytes` of each matrix, `bias_length` elements, `scales_bytes`
/// and `zeros_bytes`.
struct HostOperands {
  std::span<const std::byte> a;
  std::span<const std::byte> b;
  std::span<std::byte> c;
  std::span<const std::byte> bias;
  std::span<const std::byte> residual;
  std::span<const std::byte> scales;  ///< of a quantised B
  std::span<const std::byte> zeros;
};

/// What a context holds on its device now.
struct LiveObjects {
  std::uint64_t buffers = 0;
  std::uint64_t bytes = 0;         ///< of all its buffers
  std::uint64_t pooled_bytes = 0;  ///< of those that wait for their next use
  std::uint64_t bind_groups = 0;
  std::uint64_t pipelines = 0;
  bool operator==(const LiveObjects&) const = default;
};

/// What the files of ContextOptions::pipeline_cache did for a context; a pipeline has one or two of them.
struct PipelineCacheUse {
  std::string folder;          ///< empty: no pipelines are kept
  std::uint64_t hits = 0;      ///< found, and need not be compiled
  std::uint64_t misses = 0;    ///< there was none
  std::uint64_t unusable = 0;  ///< there was one, damaged or of something else
  std::uint64_t stored = 0;
};

/// One device of one WebGPU library.
///
/// Threads: every function but `reopen`, assignment and destruction may be called from several threads at
/// once; so may those of PreparedPlan. Work is carried out in the order in which it reaches the device's one
/// queue; calls that touch the same buffers are ordered by the caller. A context on the caller's own device
/// (webgpu.hpp) has a condition of its own. Timings (`time`) take turns.
///
/// Errors name the kernel and the problem. Once the device is lost every call says device_lost, at once.
class Context {
 public:
  using Operands = wgemm::Operands;
  using HostOperands = wgemm::HostOperands;

  /// Opens a device. Errors: not_found (no library, no adapter; the message says what to install),
  /// unsupported.
  static Result<Context> create(const ContextOptions& options = {});

  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  /// Cancels the tasks that have not begun and those that can be cancelled, and waits for the rest.
  ~Context();

  /// A fresh device in place of a lost one, with the same options. Buffers and prepared plans of the old one
  /// are refused from then on (invalid_argument). Errors: as `create`; unsupported on the caller's device.
  Result<void> reopen();

  [[nodiscard]] const DeviceProfile& profile() const;
  [[nodiscard]] const ContextOptions& options() const;
  /// The measured choices that plans go by.
  [[nodiscard]] const TuningData& tuning() const;
  /// Why this adapter was chosen, one line.
  [[nodiscard]] std::string_view choice() const;
  /// Whether shaders run without the library's bounds checks.
  [[nodiscard]] bool unchecked_shaders() const;
  [[nodiscard]] LiveObjects live() const;
  [[nodiscard]] PipelineCacheUse pipeline_cache() const;
  /// Frees the memory that is kept for later calls, and the plans that `prepare` keeps by problem.
  void trim();

  /// A problem from host memory to host memory. Only elements of C are written, and C may lie in the memory
  /// of an input. Blocks until C is there. Errors: those of `make_plan`, out_of_memory, device_lost, timeout,
  /// cancelled; C is untouched then, but for the panels that a product larger than
  /// ContextOptions::memory_cap had finished.
  Result<void> multiply(const Problem& problem, const HostOperands& operands, const PlanOptions& options = {},
                        const CallOptions& call = {});
  Result<void> multiply(const Problem& problem, std::span<const std::byte> a, std::span<const std::byte> b,
                        std::span<std::byte> c, const PlanOptions& options = {});
  /// The same on a thread of the context; tasks are carried out one after the other. The operands' memory
  /// must live until the task is ready. `call.cancel` is heeded as well as Task::cancel.
  Task<void> multiply_async(const Problem& problem, const HostOperands& operands,
                            const PlanOptions& options = {}, const CallOptions& call = {},
                            Completion<void> done = {});

  /// C <- A * B for tight row-major f32 matrices: A has m*k elements, B k*n, the result m*n.
  Result<std::vector<float>> matmul(std::uint64_t m, std::uint64_t n, std::uint64_t k,
                                    std::span<const float> a, std::span<const float> b,
                                    const CallOptions& call = {});

  /// The plan that `prepare` carries out for a problem: the choices of `tuning()` for this device, and matrix
  /// units only once they have passed their check on it. Errors: those of `make_plan` and of `prepare`.
  Result<Plan> plan(const Problem& problem, const PlanOptions& options = {}, const CallOptions& call = {});

  /// Compiles a plan. Errors: compilation (the library's message is included), out_of_memory, device_lost,
  /// timeout, cancelled.
  Result<PreparedPlan> prepare(const Plan& plan, const CallOptions& call = {});
  /// Plans and compiles a problem, or finds it among those prepared before: the context keeps the last 256.
  /// Errors: those of `make_plan` too.
  Result<PreparedPlan> prepare(const Problem& problem, const PlanOptions& options = {},
                               const CallOptions& call = {});
  /// Makes A or B ready for the products of a problem: what its plan would do to it in every run is done
  /// here, once. `given` holds the operand as the problem says and is not needed afterwards. Waits. A
  /// quantised B becomes numbers (PlanOptions::dequantise), from what `given` has as b, scales and zeros;
  /// plans that take it refuse scales and zero points. What else `given` has is left alone. Errors: those of
  /// `prepare`; invalid_argument (an operand is missing or too small); unsupported (argument "matrix": a
  /// quantised B as numbers is larger than the device binds, or options.scratch_cap allows, at once).
  Result<PreparedOperand> prepare_operand(const Problem& problem, Matrix matrix, const Operands& given,
                                          const PlanOptions& options = {}, const CallOptions& call = {});
  Result<PreparedOperand> prepare_operand(const Problem& problem, Matrix matrix, const HostOperands& given,
                                          const PlanOptions& options = {}, const CallOptions& call = {});
  /// The same for an operand that is no more than its elements.
  Result<PreparedOperand> prepare_operand(const Problem& problem, Matrix matrix, const Buffer& given,
                                          const PlanOptions& options = {}, const CallOptions& call = {});
  Result<PreparedOperand> prepare_operand(const Problem& problem, Matrix matrix,
                                          std::span<const std::byte> given, const PlanOptions& options = {},
                                          const CallOptions& call = {});
  /// The plan of a problem whose operand is given prepared. It may be another problem than the one that the
  /// operand was prepared for, say with another number of rows of A, if its kernel wants B as it lies in
  /// there. Errors: also invalid_argument where it does not; name the kernel in `options` then.
  Result<PreparedPlan> prepare(const Problem& problem, const PreparedOperand& operand,
                               const PlanOptions& options = {}, const CallOptions& call = {});
  /// Compile ahead, several at once, on threads of the context. The result has the order of the list; the
  /// first error ends the task. The problems are found by `prepare` and `multiply` afterwards. `call`: its
  /// timeout is that of the whole list, `call.cancel` is heeded as well as Task::cancel.
  Task<std::vector<PreparedPlan>> prepare_async(std::vector<Plan> plans, Progress progress = {},
                                                Completion<std::vector<PreparedPlan>> done = {},
                                                const CallOptions& call = {});
  Task<std::vector<PreparedPlan>> prepare_async(std::vector<Problem> problems,
                                                const PlanOptions& options = {}, Progress progress = {},
                                                Completion<std::vector<PreparedPlan>> done = {},
                                                const CallOptions& call = {});

  /// Device memory of at least `bytes`, rounded up to a multiple of 4, usable as any operand and for copies.
  Result<Buffer> create_buffer(std::uint64_t bytes);
  /// Copies host bytes into a buffer at `offset`, a multiple of 4. A size that is no multiple of 4 leaves the
  /// bytes of the last word behind it as zeros.
  Result<void> upload(const Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes,
                      const CallOptions& call = {});
  /// Copies a buffer from `offset`, a multiple of 4, to the host; waits for all work before it.
  Result<void> download(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes,
                        const CallOptions& call = {});

  /// Runs the plan once; returns when the queue is drained. The first run sets StartCost::first_dispatch_ms.
  /// Errors: invalid_argument (an operand is missing, too small, or C is also another operand), device_lost,
  /// timeout, cancelled.
  Result<void> run(PreparedPlan& prepared, const Operands& operands, const CallOptions& call = {});
  Result<void> run(PreparedPlan& prepared, const Buffer& a, const Buffer& b, const Buffer& c);
  /// The same on a thread of the context, in the order of the calls; the task keeps plan and buffers alive.
  Task<void> run_async(const PreparedPlan& prepared, const Operands& operands, const CallOptions& call = {},
                       Completion<void> done = {});

  /// Runs the plan `repeats` times, repetition i on operands[i % size], and times it: in one submission as
  /// long as that stays under about a second. The first run, in which drivers compile, happens before and is
  /// in no time. `by_step` also times each step of the plan (needs timestamps; costs a pass a step).
  Result<Span> time(PreparedPlan& prepared, std::span<const Operands> operands, std::uint32_t repeats,
                    bool by_step = false);

  /// Steps of the clock behind the timestamps, in nanoseconds, as observed; 0 without timestamps.
  [[nodiscard]] double timestamp_quantum_ns() const;

  struct Impl;  ///< of the native room

 private:
  friend struct native::Access;
  explicit Context(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wgemm
